/* The page of a visit saves itself: every answer as it is entered, each photo by itself.
   Without signal all of it waits on the device. Without this file the page has its buttons. */

import * as store from "./visit-store.js";
import { Sender, knock } from "./visit-send.js";
import { PhotoList, thumbnail, sha256 } from "./visit-photos.js";
import { keepPage } from "./visit-page.js";
import { VisitPage, showAmiss } from "./visit-show.js";
import { listed, status } from "./visit-words.js";

const PAUSE = 700; // after the last key
const KEY = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

const touched = (part) => [...part.querySelectorAll("input, textarea")].some((field) =>
  !field.closest("[data-finding-fields]") && (["checkbox", "radio"].includes(field.type)
    ? field.checked !== field.defaultChecked : field.type !== "file" && field.value !== field.defaultValue));

class Visit {
  constructor(form) {
    this.form = form;
    this.page = new VisitPage(form);
    this.data = form.dataset;
    this.person = this.data.person;
    this.timers = new Map();
    this.last = new Map();
    this.photos = new PhotoList(form);
    this.sender = new Sender({
      person: this.person,
      changed: () => this.tell(),
      arrived: (item, said) => this.arrived(item, said),
      token: (csrf) => this.page.renewToken(csrf),
    });
  }

  async start() {
    const early = [];
    for (const section of this.form.querySelectorAll("[data-line]")) {
      const kept = touched(section) ? early.push(section) && "" : this.page.answerOf(section);
      this.last.set(section.dataset.line, JSON.stringify(kept));
    }
    this.last.set("whole", JSON.stringify(this.page.wholeAnswer()));
    await this.putBack();
    this.form.addEventListener("input", (event) => this.entered(event, PAUSE));
    this.form.addEventListener("change", (event) => this.entered(event, 0));
    this.form.addEventListener("submit", (event) => this.pressed(event));
    this.form.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.flush());
    window.addEventListener("pagehide", () => this.flush());
    this.form.classList.add("saves-itself");
    this.form.querySelectorAll(".script-only").forEach((part) => { part.hidden = false; });
    this.form.querySelectorAll(".bad .finding-form").forEach((part) => { part.open = true; });
    await this.takeEarly(early);
    await this.sender.run();
    keepPage(this.data.worker, false);
  }

  // What was entered before this file was there, on a slow line, is kept as well.
  async takeEarly(sections) {
    for (const section of sections) {
      await this.saveLine(section);
    }
    for (const field of this.form.querySelectorAll("[data-photos]")) {
      if (field.files?.length) {
        await this.takePhotos(field);
      }
    }
  }

  // Reading the page -----------------------------------------------------------------------

  look(ref, kind, values, sent = null) {
    const at = new Date().toISOString();
    return { person: this.person, visit: this.data.visit, ref, kind, at, sent, ...values };
  }

  item(kind, look, url, values) {
    return { kind, key: crypto.randomUUID(), person: this.person, visit: this.data.visit,
      place: this.data.place, address: location.pathname, url, knock: this.form.action,
      look: look.ref, at: look.at, tries: 0, ...values };
  }

  // Entering -------------------------------------------------------------------------------

  entered(event, pause) {
    const field = event.target;
    if (field.type === "file") {
      if (event.type === "change") {
        this.takePhotos(field);
      }
      return;
    }
    const section = field.closest("[data-line]");
    if (field.closest("[data-finding-fields]")) {
      this.later(`draft-${section.dataset.line}`, () => this.keepDraft(section), pause);
    } else if (field.closest("[data-whole]")) {
      this.later("whole", () => this.saveWhole(), pause);
    } else if (section) {
      this.page.showState(section);
      this.later(section.dataset.line, () => this.saveLine(section), pause);
    }
  }

  later(what, work, pause) {
    clearTimeout(this.timers.get(what)?.timer);
    this.timers.set(what, { work, timer: setTimeout(() => this.now(what), pause) });
  }

  async now(what) {
    const work = this.timers.get(what)?.work;
    clearTimeout(this.timers.get(what)?.timer);
    this.timers.delete(what);
    try {
      await work?.();
    } catch (error) {
      this.noRoom(error);
    }
  }

  async flush() {
    await Promise.all([...this.timers.keys()].map((what) => this.now(what)));
  }

  async saveLine(section) {
    const ref = section.dataset.line, answer = this.page.answerOf(section), text = JSON.stringify(answer);
    if (text === this.last.get(ref)) {
      return;
    }
    this.last.set(ref, text);
    const look = this.look(`line-${ref}`, "line", { line: ref, answer });
    const item = answer.outcome && this.item("answer", look, this.form.action,
      { ref: `line-${ref}`, replaces: true, title: this.page.titleOf(ref), body: { line: ref, ...answer } });
    await store.put(item, look);
    await this.send();
  }

  async saveWhole() {
    const answer = this.page.wholeAnswer(), text = JSON.stringify(answer);
    if (text === this.last.get("whole")) {
      return;
    }
    this.last.set("whole", text);
    const look = this.look("whole", "whole", { answer });
    await store.put(this.item("description", look, this.form.action,
      { ref: "whole", replaces: true, body: answer }), look);
    await this.send();
  }

  async keepDraft(section) {
    const ref = section.dataset.line;
    await store.put(null, this.look(`draft-${ref}`, "draft", { line: ref, fields: this.findingOf(section) }));
  }

  async send() {
    await this.tell();
    this.sender.run();
  }

  async takePhotos(field) {
    const files = [...field.files], ref = field.closest("[data-line]").dataset.line;
    field.value = "";
    navigator.storage?.persist?.();
    for (const file of files) {
      await this.takePhoto(file, ref);
    }
    await this.send();
  }

  async takePhoto(file, ref) {
    try {
      const bytes = await file.arrayBuffer();
      const photo = new Blob([bytes], { type: file.type });
      const key = crypto.randomUUID();
      const look = this.look(`photo-${key}`, "photo",
        { key, line: ref, name: file.name, picture: await thumbnail(photo) });
      const hash = await sha256(bytes);
      await store.put({ ...this.item("photo", look, this.data.photosUrl,
        { line: ref, name: file.name, title: this.page.titleOf(ref), photo, sha256: hash }), key }, look);
      this.photos.show(look);
      await this.tell();
    } catch (error) {
      this.photos.notKept(ref, file.name);
    }
  }

  // Findings -------------------------------------------------------------------------------

  findingOf(section) {
    const ref = section.dataset.line, fields = {};
    for (const name of ["what", "section", "correct_by", "who", "is_violation"]) {
      fields[name] = this.page.field(`finding-${ref}-${name}`);
    }
    return fields;
  }

  amissIn(fields) {
    if (!fields.what.trim() && !fields.note.trim()) {
      return "Say what is wrong, here or in the note on the line.";
    }
    if (!fields.correct_by || fields.correct_by < this.data.day) {
      return "Say by which day it is to be corrected: the day of the visit or a later one.";
    }
    return fields.is_violation ? "" : "Say whether it is a violation.";
  }

  async recordFinding(section) {
    await this.flush();
    const ref = section.dataset.line, amiss = section.querySelector("[data-finding-fields] [data-amiss]");
    const fields = { ...this.findingOf(section), note: this.page.field(`line-${ref}-note`) };
    const wrong = this.amissIn(fields);
    showAmiss(amiss, wrong);
    if (wrong) {
      return;
    }
    const what = fields.what.trim() || fields.note.trim(), operation = crypto.randomUUID();
    const look = this.look(`finding-${operation}`, "finding", { line: ref, what });
    await store.put(this.item("finding", look, this.data.findingUrl,
      { title: this.page.titleOf(ref), body: { line: ref, ...fields, operation } }), look);
    await store.forget(this.person, this.data.visit, `draft-${ref}`);
    this.page.showFinding(look);
    this.page.clearFinding(section);
    await this.send();
  }

  async seen(part, seen) {
    await this.flush();
    const finding = part.dataset.finding, how = this.page.field(`seen-${finding}-how`);
    const look = this.look(`seen-${finding}`, "seen", { finding, seen });
    const title = part.querySelector("h3").textContent.trim();
    await store.put(this.item("seen", look, this.data.seenUrl,
      { title, body: { finding, seen, how, operation: crypto.randomUUID() } }), look);
    this.page.showSeen(look);
    await this.send();
  }

  // Buttons --------------------------------------------------------------------------------

  pressed(event) {
    event.preventDefault();
    const button = event.submitter, act = button?.dataset.act;
    if (act === "finding") {
      this.recordFinding(button.closest("[data-line]"));
    } else if (act === "again" || act === "corrected") {
      this.seen(button.closest("[data-finding]"), act);
    } else if (act === "finish") {
      this.finish();
    } else {
      this.flush().then(() => this.send());
    }
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (button?.dataset.act === "another") {
      const section = this.addExtra(crypto.randomUUID());
      section.querySelector("input[type=radio]").focus();
    } else if (button?.dataset.again) {
      store.change(Number(button.dataset.again), { amiss: "", tries: 1 }).then(() => this.send());
    } else if (button?.dataset.remove) {
      this.remove(button);
    }
  }

  async remove(button) {
    if (!button.dataset.sure) {
      button.dataset.sure = "yes";
      button.textContent = "Really remove it from this device";
      return;
    }
    const item = (await store.waiting()).find((row) => row.id === Number(button.dataset.remove));
    if (item) {
      await store.remove(item.id, [item.person, item.visit, item.look]);
      this.photos.drop(item.key);
      document.getElementById(item.look)?.remove();
    }
    await this.tell();
  }

  async finish() {
    await this.flush();
    await this.sender.run();
    const left = (await store.waiting()).filter((item) => this.isMine(item));
    if (left.length) {
      this.page.say(`The visit can be finished when everything is sent: ${listed(left)} on this device.`);
      return;
    }
    const door = await knock(this.form.action);
    if (door.state === "open") {
      location.assign(this.data.finishUrl);
    } else {
      this.page.say(door.state === "sign-in" ? "Sign in to finish the visit. Everything is saved."
        : "No signal. Finish the visit when the line is back; everything is kept.");
      this.page.signIn(door.state === "sign-in");
    }
  }

  addExtra(key) {
    const section = this.page.addExtra(key);
    this.last.set(key, JSON.stringify(this.page.answerOf(section)));
    return section;
  }

  // Showing --------------------------------------------------------------------------------

  // A page that was kept without signal is older than what was entered since.
  async putBack() {
    for (const look of await store.looks(this.person, this.data.visit)) {
      if (look.sent && look.sent <= Number(this.data.rendered)) {
        await store.forget(look.person, look.visit, look.ref);
      } else {
        this.putBackOne(look);
      }
    }
  }

  putBackOne(look) {
    if (look.line && !this.page.section(look.line) && KEY.test(look.line)) {
      this.addExtra(look.line);
    }
    if (look.kind === "line") {
      this.page.fill(`line-${look.line}-`, look.answer);
      this.last.set(look.line, JSON.stringify(look.answer));
      this.page.showState(this.page.section(look.line));
    } else if (look.kind === "whole") {
      this.page.fill("visit-", look.answer);
      this.last.set("whole", JSON.stringify(look.answer));
    } else if (look.kind === "draft") {
      this.page.fill(`finding-${look.line}-`, look.fields);
    } else if (look.kind === "photo") {
      this.photos.show(look);
    } else if (look.kind === "finding") {
      this.page.showFinding(look);
    } else if (look.kind === "seen") {
      this.page.showSeen(look);
    }
  }

  isMine(item) {
    return item.person === this.person && item.visit === this.data.visit;
  }

  async tell() {
    const rows = await store.waiting(), items = rows.filter((row) => row.person === this.person);
    const sections = [...this.form.querySelectorAll("[data-line]:not(#line-visit)")];
    const loose = sections.map((section) => this.page.answerOf(section))
      .filter((answer) => answer.note.trim() && !answer.outcome).length;
    const others = rows.length - items.length;
    this.page.say(status({ state: this.sender.state, items, others, loose }));
    this.page.signIn(["sign-in", "other"].includes(this.sender.state) && items.length > 0);
    this.photos.mark(items);
    this.page.showAllAmiss(items.filter((item) => item.amiss));
  }

  async arrived(item, said) {
    if (item.kind === "finding" && said.text) {
      this.page.showFinding({ ref: item.look, line: item.body.line, text: said.text });
    } else if (item.kind === "photo") {
      this.photos.arrived(item.key, said.doubts);
    }
    if (!(await store.waiting()).some((row) => this.isMine(row))) {
      keepPage(this.data.worker, true);
    }
  }

  noRoom(error) {
    this.page.say(error?.name === "QuotaExceededError"
      ? "This device has no room left. What you entered last is not kept yet: free some room."
      : "The browser does not keep what you enter. Use Save, where there is signal.");
    if (error?.name !== "QuotaExceededError") {
      this.form.classList.remove("saves-itself");
    }
  }
}

const form = document.getElementById("visit");
if (form && window.isSecureContext && window.indexedDB && window.crypto?.subtle) {
  const visit = new Visit(form);
  visit.start().catch((error) => visit.noRoom(error));
}
