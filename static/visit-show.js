/* The page of a visit: what stands in it, and how it is shown. */

import { nameOf } from "./visit-words.js";

export class VisitPage {
  constructor(form) {
    this.form = form;
  }

  section(ref) {
    return this.form.querySelector(`[data-line="${CSS.escape(ref)}"]`);
  }

  field(name) {
    const found = this.form.elements.namedItem(name);
    return found ? found.value : "";
  }

  answerOf(section) {
    const ref = section.dataset.line;
    return { outcome: this.field(`line-${ref}-outcome`), note: this.field(`line-${ref}-note`) };
  }

  wholeAnswer() {
    const names = ["weather", "phase", "note", "stockpile_since"];
    return Object.fromEntries(names.map((name) => [name, this.field(`visit-${name}`)]));
  }

  titleOf(ref) {
    const title = document.getElementById(`title-${ref}`);
    return title ? title.textContent.trim().replace(/\s+/g, " ") : "the whole visit";
  }

  clearFinding(section) {
    const part = section.querySelector("[data-finding-fields]");
    part.querySelectorAll("textarea").forEach((field) => { field.value = ""; });
    part.querySelectorAll("[type=radio]").forEach((field) => { field.checked = false; });
    part.closest("details").open = false;
    section.classList.remove("bad");
  }

  showFinding(look) {
    const list = this.section(look.line)?.querySelector("[data-findings]");
    if (!list) {
      return;
    }
    let entry = document.getElementById(look.ref);
    if (!entry) {
      entry = list.appendChild(document.createElement("p"));
      entry.id = look.ref;
      entry.className = "finding prewrap";
    }
    entry.textContent = look.text || `Finding, waiting to be sent: ${look.what}`;
  }

  showSeen(look) {
    const part = this.form.querySelector(`[data-finding="${CSS.escape(look.finding)}"]`);
    if (part) {
      const words = part.querySelector("[data-seen]");
      words.hidden = false;
      words.textContent = look.seen === "corrected" ? "Corrected, as you saw." : "Still there today.";
      part.querySelectorAll("button").forEach((button) => { button.disabled = true; });
      part.querySelectorAll("details").forEach((more) => { more.hidden = true; });
    }
  }

  addExtra(key) {
    const pattern = document.getElementById("extra-line").innerHTML;
    const place = document.getElementById("extra");
    place.insertAdjacentHTML("beforeend", pattern.replaceAll("__key__", key));
    const section = this.section(key);
    section.querySelectorAll(".script-only").forEach((part) => { part.hidden = false; });
    return section;
  }

  fill(prefix, values) {
    for (const [name, value] of Object.entries(values)) {
      const field = this.form.elements.namedItem(`${prefix}${name}`);
      if (field) {
        field.value = value;
      }
    }
  }

  showState(section) {
    const outcome = section && this.answerOf(section).outcome;
    const bad = outcome === "missing" || outcome === "needs_correction";
    const has = section?.querySelector("[data-findings]")?.children.length;
    section?.classList.toggle("bad", bad && !has);
    const details = section?.querySelector(".finding-form");
    if (details && bad && !has) {
      details.open = true;
    }
  }

  say(words) {
    const place = document.getElementById("sending-words");
    if (place.textContent !== words) {
      place.textContent = words;
    }
  }

  signIn(needed) {
    const link = document.getElementById("sending-sign-in");
    link.hidden = !needed;
  }

  showAllAmiss(items) {
    const list = document.getElementById("sending-amiss");
    const state = JSON.stringify(items.map((item) => [item.id, item.amiss]));
    if (list.dataset.state === state) {
      return;
    }
    list.dataset.state = state;
    list.hidden = !items.length;
    list.replaceChildren(...items.map((item) => amissEntry(item)));
  }

  renewToken(csrf) {
    document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => { field.value = csrf; });
  }
}

export function showAmiss(place, words) {
  place.textContent = words;
  place.hidden = !words;
  if (words) {
    place.tabIndex = -1;
    place.focus();
  }
}

function amissEntry(item) {
  const entry = document.createElement("li"), words = document.createElement("span");
  words.className = "error";
  words.textContent = `${nameOf(item)} is not taken: ${item.amiss}`;
  entry.append(words, choice("Send again", "again", item.id), choice("Remove", "remove", item.id));
  return entry;
}

function choice(words, what, id) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "btn btn-secondary", textContent: words });
  button.dataset[what] = id;
  return button;
}
