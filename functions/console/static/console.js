// What the pages do better with script: times in the reader's zone, a table
// dropped anywhere on its box, and pages that follow what happens. Without it
// every page works.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const format = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short"});

function localTimes(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
  for (const input of root.querySelectorAll("input[name=zone]")) input.value = zone;
}

function takeDrops(form) {
  const input = form.querySelector("input[type=file]");
  for (const type of ["dragenter", "dragover"]) form.addEventListener(type, event => {
    event.preventDefault();
    form.classList.add("over-it");
  });
  for (const type of ["dragleave", "drop"]) form.addEventListener(type, () => form.classList.remove("over-it"));
  form.addEventListener("drop", event => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

// follow replaces the part of the page that changes. While the reader is in a
// field of it, it waits.
function follow(sign) {
  const part = document.getElementById("live");
  let waiting = null;
  const show = html => {
    const focused = part.contains(document.activeElement) && document.activeElement;
    if (focused && focused.matches("input, textarea")) { waiting = html; return; }
    const id = focused && focused.id;
    part.innerHTML = html;
    localTimes(part);
    if (id) document.getElementById(id)?.focus();
  };
  part.addEventListener("focusout", () => { if (waiting !== null) { const html = waiting; waiting = null; setTimeout(() => show(html)); } });
  let source, ended = false;
  const listen = () => {
    source = new EventSource(sign.dataset.live);
    source.addEventListener("message", event => show(event.data));
    source.addEventListener("last", () => { ended = true; source.close(); sign.hidden = true; });
    source.addEventListener("open", () => { sign.hidden = false; sign.textContent = "This page keeps itself up to date."; });
    source.addEventListener("error", () => { sign.hidden = false; sign.textContent = "The server does not answer. Trying again."; });
  };
  listen();
  document.addEventListener("visibilitychange", () => { // nobody looks: ask nothing
    source.close();
    if (!document.hidden && !ended) listen();
  });
}

localTimes(document);
document.querySelectorAll("[data-drop]").forEach(takeDrops);
document.querySelectorAll("[data-live]").forEach(follow);
document.documentElement.dataset.ready = "";
