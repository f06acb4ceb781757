/* Keeps the page of the visit on the device, so that it opens without signal. */

const PAGES = "visit-pages";
const REST = 10000;
let last = 0;

export async function keepPage(worker, anew) {
  if (!("serviceWorker" in navigator) || !window.caches) {
    return;
  }
  try {
    await navigator.serviceWorker.register(worker, { scope: "/visits/" });
    const pages = await caches.open(PAGES);
    const kept = await pages.match(location.pathname, { ignoreVary: true });
    if (kept && !(anew && Date.now() - last > REST)) {
      return;
    }
    last = Date.now();
    const answer = await fetch(location.pathname, { redirect: "manual", cache: "no-store" });
    if (answer.ok && answer.headers.get("Keep-Offline") === "yes") {
      await pages.put(location.pathname, answer);
    }
  } catch (error) {
    // Without signal, or without room: what was entered is kept all the same.
  }
}
