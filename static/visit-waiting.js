/* On every page of an inspector: send what still waits from a visit, and say so. */

import * as store from "./visit-store.js";
import { Sender } from "./visit-send.js";
import { listed } from "./visit-words.js";

function tell(items) {
  let notice = document.getElementById("visit-waiting");
  if (!items.length) {
    notice?.remove();
    return;
  }
  if (!notice) {
    notice = document.createElement("p");
    Object.assign(notice, { id: "visit-waiting", className: "notice warning" });
    notice.setAttribute("role", "status");
    document.getElementById("main").prepend(notice);
  }
  const link = document.createElement("a");
  link.href = items[0].address;
  link.textContent = `Open the visit to ${items[0].place}`;
  const verb = items.length === 1 ? "waits" : "wait";
  notice.replaceChildren(`From a visit, ${listed(items)} ${verb} on this device. `, link);
}

async function start() {
  const sender = new Sender({ changed: async () => tell(await store.waiting()) });
  if ((await store.waiting()).length) {
    await sender.run();
  }
}

if (!document.getElementById("visit") && window.indexedDB && window.isSecureContext) {
  start();
}
