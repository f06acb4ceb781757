/* The photos of a visit: small pictures of them, their hash, and where each one stands. */

const SIDE = 160;
const STATES = { waiting: "waits on this device", sent: "saved", amiss: "not taken: see below" };

export async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A small picture to look at, where the browser can read the photo.
export async function thumbnail(photo) {
  try {
    const image = await createImageBitmap(photo);
    const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    return canvas.toDataURL("image/jpeg", 0.7);
  } catch (error) {
    return "";
  }
}

export class PhotoList {
  constructor(form) {
    this.form = form;
  }

  entry(key) {
    return this.form.querySelector(`[data-shots] [data-key="${CSS.escape(key)}"]`);
  }

  show(look) {
    const list = this.form.querySelector(`[data-shots="${CSS.escape(look.line)}"]`);
    if (!list || this.entry(look.key)) {
      return;
    }
    const entry = list.appendChild(document.createElement("li"));
    entry.dataset.key = look.key;
    if (look.picture) {
      const picture = entry.appendChild(document.createElement("img"));
      picture.src = look.picture;
      picture.alt = `Photo ${look.name}`;
    }
    entry.appendChild(words("name", look.name));
    entry.appendChild(words("state", look.sent ? STATES.sent : STATES.waiting));
  }

  // Tell of each photo that was added here whether it waits, is saved, or is amiss.
  mark(items) {
    const waiting = new Map(items.filter((item) => item.kind === "photo").map((item) => [item.key, item]));
    for (const state of this.form.querySelectorAll("[data-shots] [data-key] .state:not(.fixed)")) {
      const item = waiting.get(state.parentElement.dataset.key);
      const text = item ? (item.amiss ? STATES.amiss : STATES.waiting) : STATES.sent;
      if (state.textContent !== text) {
        state.textContent = text;
      }
    }
  }

  arrived(key, doubts) {
    const entry = this.entry(key);
    for (const doubt of entry ? doubts || [] : []) {
      entry.appendChild(words("doubt", doubt));
    }
  }

  notKept(ref, name) {
    const list = this.form.querySelector(`[data-shots="${CSS.escape(ref)}"]`);
    const entry = list.appendChild(document.createElement("li"));
    entry.appendChild(words("name", name));
    entry.appendChild(words("doubt", "This device has no room left to keep it. It stays in your camera only."));
  }

  drop(key) {
    this.entry(key)?.remove();
  }
}

function words(kind, text) {
  const part = document.createElement("span");
  part.className = kind;
  part.textContent = text;
  return part;
}
