/* Sends what waits on the device, each thing exactly once, in its order, to whom it belongs. */

import * as store from "./visit-store.js";

const PATIENCE = { photo: 300000, other: 40000 };
const FIRST_PAUSE = 10000;
const LONGEST_PAUSE = 120000;

async function ask(url, options, milliseconds) {
  return fetch(url, {
    credentials: "same-origin",
    cache: "no-store",
    redirect: "manual",
    signal: AbortSignal.timeout(milliseconds),
    ...options,
    headers: { Accept: "application/json", ...options.headers },
  });
}

// Ask the server who is signed in, before anything is sent.
export async function knock(url) {
  let answer;
  try {
    answer = await ask(url, {}, PATIENCE.other);
  } catch (error) {
    return { state: "offline" };
  }
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    return { state: "sign-in" };
  }
  if (answer.status === 404) {
    return { state: "gone" };
  }
  if (!answer.ok) {
    return { state: "trouble" };
  }
  try {
    return { state: "open", ...(await answer.json()) };
  } catch (error) {
    return { state: "trouble" };
  }
}

function request(item, csrf) {
  const headers = { "X-CSRFToken": csrf };
  if (item.kind === "photo") {
    const body = new FormData();
    body.append("key", item.key);
    body.append("line", item.line);
    body.append("at", item.at);
    body.append("sha256", item.sha256);
    body.append("photo", item.photo, item.name);
    body.append("end_of_form", "");
    return { method: "POST", headers, body };
  }
  const fields = { ...item.body, key: item.key, at: item.at };
  if (item.kind === "finding" || item.kind === "seen") {
    return { method: "POST", headers, body: new URLSearchParams(fields) };
  }
  headers["Content-Type"] = "application/json";
  return { method: "POST", headers, body: JSON.stringify({ ...fields, kind: item.kind }) };
}

async function sendOne(item, csrf) {
  const patience = item.kind === "photo" ? PATIENCE.photo : PATIENCE.other;
  let answer, said = {};
  try {
    answer = await ask(item.url, request(item, csrf), patience);
    said = answer.type === "opaqueredirect" ? {} : await answer.json().catch(() => ({}));
  } catch (error) {
    return { state: "offline" };
  }
  if (answer.type === "opaqueredirect") {
    return { state: "sign-in" };
  }
  if (answer.ok) {
    if (item.kind === "photo" && said.sha256 !== item.sha256) {
      return { state: "trouble" }; // the device keeps the photo until the hash is the same
    }
    return said.at ? { state: "arrived", said } : { state: "trouble" };
  }
  if (answer.status === 404) {
    return { state: "amiss", words: "This visit takes nothing more from you." };
  }
  if (answer.status === 413) {
    return { state: "amiss", words: "It is too large to be sent." };
  }
  const final = (answer.status === 409 || answer.status === 422) && said.problem && !said.again;
  return final ? { state: "amiss", words: said.problem } : { state: "trouble" };
}

export class Sender {
  // `person` sends only what is theirs; without one, what belongs to whoever is signed in.
  constructor({ person = null, changed = () => {}, arrived = () => {}, token = () => {} }) {
    Object.assign(this, { person, changed, arrived, token });
    this.state = "idle";
    this.pause = FIRST_PAUSE;
    this.running = null;
    window.addEventListener("online", () => this.soon(0));
    document.addEventListener("visibilitychange", () => document.hidden || this.soon(0));
  }

  soon(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), milliseconds);
  }

  // Send what waits; tabs of one browser take turns.
  run() {
    if (!this.running) {
      this.running = this.inTurn().finally(() => { this.running = null; });
      return this.running;
    }
    this.next ||= this.running.then(() => { this.next = null; return this.run(); });
    return this.next;
  }

  async inTurn() {
    clearTimeout(this.timer);
    const work = () => this.sendAll();
    try {
      await (navigator.locks ? navigator.locks.request("siltfence-visits", work) : work());
    } catch (error) {
      this.state = "trouble";
    }
    const left = (await this.ready()).length;
    if (left) {
      this.soon(this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    } else {
      this.pause = FIRST_PAUSE;
    }
    await this.changed();
    return left;
  }

  async ready() {
    const rows = await store.waiting();
    return rows.filter((row) => !row.amiss && (!this.person || row.person === this.person));
  }

  async sendAll() {
    const tried = new Set();
    this.state = "idle";
    for (;;) {
      const item = (await this.ready()).find((row) => !tried.has(row.id));
      if (!item) {
        this.state = this.state === "sending" ? "idle" : this.state;
        return;
      }
      if (!await this.sendVisit(item.visit, item.knock, tried)) {
        return;
      }
    }
  }

  async sendVisit(visit, url, tried) {
    const door = await knock(url);
    if (door.state !== "open" && door.state !== "gone") {
      this.state = door.state;
      return false;
    }
    if (door.state === "open") {
      this.token(door.csrf);
    }
    for (const item of (await this.ready()).filter((row) => row.visit === visit)) {
      tried.add(item.id);
      if (door.state === "open" && item.person !== door.person) {
        this.state = this.person ? "other" : this.state;
        continue;
      }
      if (!await this.sendItem(item, door)) {
        return false;
      }
    }
    return true;
  }

  async sendItem(item, door) {
    this.state = "sending";
    await store.change(item.id, { tries: (item.tries || 0) + 1 });
    await this.changed();
    const result = door.state === "gone"
      ? { state: "amiss", words: "This visit takes nothing more from you." }
      : await sendOne(item, door.csrf);
    if (result.state === "arrived") {
      this.pause = FIRST_PAUSE;
      const text = result.said.text;
      await store.arrived(item, { sent: result.said.at, ...(text ? { text } : {}) });
      await this.arrived(item, result.said);
      return true;
    }
    if (result.state === "amiss") {
      await store.change(item.id, { amiss: result.words });
      return true;
    }
    this.state = result.state;
    return false;
  }
}
