/* What an inspector entered, kept on the device until the city's server has it.
   "waiting": things to be sent, in their order. "kept": how the page of a visit looked. */

const NAME = "siltfence-visits";
let opened = null;

function open() {
  opened ||= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
      request.result.createObjectStore("kept", { keyPath: ["person", "visit", "ref"] });
    };
    request.onsuccess = () => {
      request.result.onclose = () => { opened = null; };
      resolve(request.result);
    };
    request.onerror = () => { opened = null; reject(request.error); };
  });
  return opened;
}

// Do something with both stores; it is on the device when the promise is kept.
async function within(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const step = database.transaction(["waiting", "kept"], mode, { durability: "strict" });
    let result;
    step.oncomplete = () => resolve(result);
    step.onabort = step.onerror = () => reject(step.error);
    work(step.objectStore("waiting"), step.objectStore("kept"), (value) => { result = value; });
  });
}

function read(request, give) {
  request.onsuccess = () => give(request.result);
}

// Keep something to send, and how the page looks with it. An answer that was not tried yet
// is replaced by a newer one to the same question.
export function put(item, look) {
  return within("readwrite", (waiting, kept, give) => {
    if (look) {
      kept.put(look);
    }
    if (!item) {
      return;
    }
    read(waiting.getAll(), (rows) => {
      for (const row of rows) {
        if (item.replaces && row.replaces && row.ref === item.ref && !row.tries
            && row.visit === item.visit && row.person === item.person) {
          waiting.delete(row.id);
        }
      }
      read(waiting.add(item), give);
    });
  });
}

// Everything that waits, of every person who used this device.
export function waiting() {
  return within("readonly", (rows, kept, give) => read(rows.getAll(), give));
}

export function change(id, changes) {
  return within("readwrite", (waiting) => {
    read(waiting.get(id), (row) => row && waiting.put({ ...row, ...changes }));
  });
}

export function remove(id, ref) {
  return within("readwrite", (waiting, kept) => {
    waiting.delete(id);
    if (ref) {
      kept.delete(ref);
    }
  });
}

// The server has it: it need not wait any more; how the page looks is kept until the server
// has shown it. A newer answer to the same question keeps its own look.
export function arrived(item, changes) {
  return within("readwrite", (waiting, kept) => {
    waiting.delete(item.id);
    read(kept.get([item.person, item.visit, item.look]), (look) => {
      if (look && look.at === item.at) {
        kept.put({ ...look, ...changes });
      }
    });
  });
}

export function looks(person, visit) {
  return within("readonly", (waiting, kept, give) => {
    read(kept.getAll(IDBKeyRange.bound([person, visit, ""], [person, visit, "\uffff"])), give);
  });
}

export function forget(person, visit, ref) {
  return within("readwrite", (waiting, kept) => kept.delete([person, visit, ref]));
}
