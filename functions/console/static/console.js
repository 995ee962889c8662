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
// field of it, has filled one in, or presses a button, it waits.
function follow(sign) {
  const part = document.getElementById("live");
  let waiting = null;
  const busy = () => document.activeElement?.matches("#live input, #live textarea") || part.matches(":active") ||
    [...part.querySelectorAll("input, textarea")].some(field => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
  const show = html => {
    if (busy()) { waiting = html; return; }
    waiting = null;
    const id = part.contains(document.activeElement) && document.activeElement.id;
    const opened = [...part.querySelectorAll("details[open]")].map(one => one.id);
    part.innerHTML = html;
    for (const one of part.querySelectorAll("details")) if (opened.includes(one.id)) one.open = true;
    localTimes(part);
    if (id) document.getElementById(id)?.focus();
  };
  part.addEventListener("focusout", () => setTimeout(() => { if (waiting !== null) show(waiting); }));
  let source, ended = false;
  const listen = () => {
    source = new EventSource(sign.dataset.live);
    source.addEventListener("message", event => show(event.data));
    source.addEventListener("last", () => { ended = true; source.close(); sign.hidden = true; });
    source.addEventListener("open", () => { sign.hidden = false; sign.textContent = "This page keeps itself up to date."; });
    source.addEventListener("error", () => { sign.hidden = false; sign.textContent = source.readyState === EventSource.CLOSED
      ? "This page does not keep itself up to date, for too many are open. Load it again." : "The server does not answer. Trying again."; });
  };
  listen();
  document.addEventListener("visibilitychange", () => { // nobody looks: ask nothing
    source.close();
    if (!document.hidden && !ended) listen();
  });
}

// sendByKeys sends a form from its box by Ctrl or Command and Enter.
function sendByKeys(box) {
  box.addEventListener("keydown", event => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.form.requestSubmit();
  });
}

// tellOfWork shows that something is computed until the next page is there.
function tellOfWork(form) {
  form.addEventListener("submit", () => {
    const sign = document.createElement("div");
    sign.className = "skeleton";
    sign.setAttribute("role", "status");
    sign.setAttribute("aria-label", "Being computed");
    for (let i = 0; i < 4; i++) sign.append(document.createElement("span"));
    form.after(sign);
  });
}

localTimes(document);
document.querySelectorAll("textarea").forEach(sendByKeys);
document.querySelectorAll("[data-drop]").forEach(tellOfWork);
document.querySelectorAll("[data-drop]").forEach(takeDrops);
document.querySelectorAll("[data-live]").forEach(follow);
document.documentElement.dataset.ready = "";
