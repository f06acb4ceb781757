/* What the page of a visit says about what is kept, what waits and what is amiss. */

function count(number, one, many) {
  return number === 1 ? `1 ${one}` : `${number} ${many || `${one}s`}`;
}

export function listed(items) {
  const photos = items.filter((item) => item.kind === "photo").length;
  const answers = items.filter((item) => ["answer", "description"].includes(item.kind)).length;
  const findings = items.length - photos - answers;
  const parts = [
    answers && count(answers, "answer"),
    photos && count(photos, "photo"),
    findings && count(findings, "finding"),
  ].filter(Boolean);
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0] || "";
}

export function status({ state, items, others, loose }) {
  const waiting = items.filter((item) => !item.amiss), what = listed(waiting);
  const verb = waiting.length === 1 ? "waits" : "wait";
  const said = [];
  if (!waiting.length) {
    said.push(items.length ? "The rest is saved." : "Everything is saved.");
  } else if (state === "sending") {
    said.push(`Sending ${what}. All of it is kept on this device until it has arrived.`);
  } else if (state === "sign-in") {
    said.push(`${what} ${verb} on this device. Sign in to send.`);
  } else if (state === "other") {
    said.push(`${what} ${verb} on this device. Somebody else is signed in now: sign in yourself.`);
  } else if (state === "offline") {
    said.push(`No signal. ${what} ${verb} on this device and will be sent when the line is back.`);
  } else if (state === "trouble") {
    said.push(`${what} ${verb} on this device. The server does not answer; it is tried again.`);
  } else {
    said.push(`${what} ${verb} on this device.`);
  }
  if (loose) {
    said.push(`${count(loose, "note needs", "notes need")} an answer beside it to be sent.`);
  }
  if (others) {
    said.push(`${count(others, "thing")} of another inspector ${others === 1 ? "waits" : "wait"} here for them to sign in.`);
  }
  return said.join(" ");
}

export function nameOf(item) {
  const names = { photo: item.name, answer: "An answer", description: "Weather, work and note",
    finding: "A finding", seen: "An earlier finding" };
  return item.title ? `${names[item.kind]} (${item.title})` : names[item.kind];
}
