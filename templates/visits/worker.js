/* The page of a visit opens without signal: it and its files are kept on the device.
   Nothing is sent from here; the page itself does that. */
"use strict";

const CONFIG = {{ config }};
const FILES = `visit-files-${CONFIG.version}`;
const PAGES = "visit-pages";
const VISIT = /^\/visits\/[0-9a-f-]{36}\/$/;
const SLOW = 8000; // after so long without an answer the kept page is shown

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles().then(() => self.skipWaiting()));
});

async function keepFiles() {
  const cache = await caches.open(FILES);
  await Promise.all(CONFIG.files.map(async (file) => {
    const answer = await fetch(file, { cache: "reload" });
    if (answer.ok) {
      await cache.put(file, answer);
    }
  }));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
});

async function dropOldFiles() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("visit-files-") && name !== FILES);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const request = event.request, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) {
    return;
  }
  if (request.mode === "navigate") {
    event.respondWith(openPage(request, url));
  } else if (CONFIG.files.includes(url.pathname)) {
    event.respondWith(openFile(request, url));
  }
});

async function openFile(request, url) {
  const cache = await caches.open(FILES);
  return (await cache.match(url.pathname)) || fetch(request);
}

async function openPage(request, url) {
  const pages = await caches.open(PAGES);
  const kept = VISIT.test(url.pathname)
    ? await pages.match(url.pathname, { ignoreVary: true }) : undefined;
  try {
    const answer = await withPatience(fetch(request), kept ? SLOW : 0);
    await note(answer, url, pages);
    return answer;
  } catch (error) {
    return kept || noSignal(pages);
  }
}

// Keep an open visit, forget one that is finished, and all of them once nobody is signed in.
async function note(answer, url, pages) {
  if (answer.type === "opaqueredirect" || new URL(answer.url || url).pathname === CONFIG.signIn) {
    await caches.delete(PAGES);
  } else if (VISIT.test(url.pathname)) {
    if (answer.ok && answer.headers.get("Keep-Offline") === "yes") {
      await pages.put(url.pathname, answer.clone());
    } else if (answer.status < 500) {
      await pages.delete(url.pathname, { ignoreVary: true });
    }
  }
}

function withPatience(promise, milliseconds) {
  if (!milliseconds) {
    return promise;
  }
  return Promise.race([promise, new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("slow")), milliseconds);
  })]);
}

async function noSignal(pages) {
  const kept = (await pages.keys()).map((request) => new URL(request.url).pathname);
  const styles = CONFIG.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join("");
  const links = kept.map((path, number) =>
    `<li><a href="${path}">Visit ${number + 1}</a></li>`).join("");
  const list = links ? `<p>These visits are on this device:</p><ul>${links}</ul>` : "";
  return new Response(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>No signal</title>${styles}
</head><body><main id="main"><h1>No signal</h1><p>This page is not on this device, or it needs the
city’s server. Everything that you entered is kept here. Try again when the line is
back.</p>${list}</main></body></html>`, {
    status: 503, headers: { "Content-Type": "text/html; charset=utf-8" },
  });
}
