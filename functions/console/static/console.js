// What the pages do better with script: times in the reader's zone, a table
// dropped anywhere on its box, and pages that follow what happens. Without it
// every page works.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const exact = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short"});
const daily = new Intl.DateTimeFormat("en-GB", {weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit"});
const format = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short"});

function localTimes(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = ("exact" in time.dataset ? exact : "day" in time.dataset ? daily : format).format(new Date(time.dateTime));
  for (const sign of root.querySelectorAll("[data-tz]")) sign.textContent = zone;
  for (const input of root.querySelectorAll("input[name=zone]")) if (!input.value) input.value = input.defaultValue = zone;
  for (const sign of root.querySelectorAll("[data-zone]")) sign.textContent = `Times are in ${sign.closest("form").elements.zone.value}.`;
  for (const input of root.querySelectorAll("input[data-at]")) {
    const at = new Date(input.dataset.at);
    input.value = input.defaultValue = new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  }
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
  input.addEventListener("change", () => { if (input.files.length) form.requestSubmit(); });
}

// tellSent shows beside a form how much of its file is sent.
function tellSent(form) {
  let sign = form.querySelector(".sent");
  if (!sign) {
    sign = document.createElement("p");
    sign.className = "sent quiet";
    sign.setAttribute("role", "status");
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.setAttribute("aria-label", "Sent");
    sign.append(bar, document.createElement("span"));
    form.append(sign);
  }
  return share => {
    sign.hidden = share === null;
    sign.querySelector("progress").value = share ?? 0;
    sign.querySelector("span").textContent = share === 1 ? "Sent. Reading it." : `${Math.floor(100 * share)}% sent`;
  };
}

// sendWhole sends the form of a file and shows how far it is. What comes of it is the page
// that the form would have led to.
function sendWhole(form) {
  form.addEventListener("submit", event => {
    if (!form.elements.table.files[0]?.size) return; // the page says what is wrong with it
    event.preventDefault();
    const tell = tellSent(form), button = form.querySelector("button"), request = new XMLHttpRequest();
    button.disabled = true;
    tell(0);
    request.upload.addEventListener("progress", sent => tell(sent.lengthComputable ? sent.loaded / sent.total : 0));
    request.upload.addEventListener("load", () => tell(1));
    request.addEventListener("load", () => {
      const page = new DOMParser().parseFromString(request.responseText, "text/html"), to = new URL(request.responseURL);
      if (request.status < 300 && to.pathname !== new URL(form.action).pathname) { location.assign(to); return; }
      document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
      document.title = page.title;
      localTimes(document);
      beginForms();
      document.querySelector("main [role=alert]")?.scrollIntoView({block: "nearest"});
    });
    request.addEventListener("error", () => {
      button.disabled = false;
      tell(null);
      form.append(Object.assign(document.createElement("p"), {className: "problem", role: "alert", textContent: "The file could not be sent. Look at your connection, and try again."}));
    });
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "text/html");
    request.send(new FormData(form));
  });
}

const firstWait = 1000, longestWait = 30000;

// follow replaces the part of the page that changes. While the reader is in a
// field of it, has filled one in, or presses a button, it waits; but not where what
// the part is about stands otherwise: then what was typed is kept, or told.
function follow(sign) {
  const part = document.getElementById("live");
  let waiting = null, shown = part.innerHTML;
  const fields = () => [...part.querySelectorAll("input, textarea")];
  const typed = () => fields().filter(field => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
  const busy = () => document.activeElement?.matches("#live input, #live textarea") || typed().length > 0;
  const stands = root => root.querySelector("#stands")?.textContent;
  const show = html => {
    const next = document.createElement("template");
    next.innerHTML = html;
    if (next.innerHTML === shown) return;
    if (part.matches(":active") || busy() && stands(part) === stands(next.content)) { waiting = html; return; }
    waiting = null;
    shown = next.innerHTML;
    const id = part.contains(document.activeElement) && document.activeElement.id;
    const opened = [...part.querySelectorAll("details[open]")].map(one => one.id), kept = typed();
    part.replaceChildren(next.content);
    for (const one of part.querySelectorAll("details")) if (opened.includes(one.id)) one.open = true;
    localTimes(part);
    for (const field of kept) {
      const same = field.id && document.getElementById(field.id);
      if (same) { same.value = field.value; continue; }
      const lost = document.createElement("p");
      lost.className = "note";
      lost.setAttribute("role", "status");
      lost.textContent = `This changed while you wrote. What you had written was not sent: “${field.value}”`;
      part.before(lost); // more may come, and this is to stay
    }
    if (id) document.getElementById(id)?.focus();
  };
  part.addEventListener("focusout", () => setTimeout(() => { if (waiting !== null) show(waiting); }));
  let timer, tag = "", wait = firstWait, ended = false;
  const ask = async () => {
    try {
      const answer = await fetch(sign.dataset.live, {headers: tag ? {"If-None-Match": tag} : {}, cache: "no-store"});
      if (!answer.ok && answer.status !== 304) throw new Error();
      wait = answer.status === 304 ? Math.min(wait * 1.5, longestWait) : firstWait;
      count(Number(answer.headers.get("X-Waiting")));
      ended = answer.headers.has("X-Settled");
      sign.hidden = ended;
      sign.textContent = "This page keeps itself up to date.";
      if (answer.ok) {
        const html = await answer.text();
        show(html);
        tag = answer.headers.get("ETag");
      }
    } catch {
      wait = Math.min(wait * 2, longestWait);
      sign.hidden = false;
      sign.textContent = "The server does not answer. Trying again.";
    }
    next();
  };
  const next = () => { clearTimeout(timer); if (!ended && !document.hidden) timer = setTimeout(ask, wait); };
  next();
  document.addEventListener("visibilitychange", () => { wait = firstWait; next(); }); // nobody looks: ask nothing
}

// count says in the title and on top how many proposals wait for the reader.
function count(mine) {
  document.title = (mine ? `(${mine}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  const sign = document.querySelector(".mine");
  sign.hidden = !mine;
  sign.querySelector("b").textContent = mine;
}

// sendByKeys sends a form from its box by Ctrl or Command and Enter.
function sendByKeys(box) {
  box.addEventListener("keydown", event => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    box.form.requestSubmit();
  });
}

const partSize = 8 << 20, maxTries = 5;

// sendParts sends a file to the address of a resumable upload of Cloud Storage. After a
// part that was lost it asks how far the file has come.
async function sendParts(file, address, tell) {
  const put = (range, body) => fetch(address, {method: "PUT", body, headers: {"Content-Range": `bytes ${range}/${file.size}`}}).catch(() => null);
  const come = (answer, otherwise) => { const range = answer.headers.get("Range"); return range ? Number(range.split("-")[1]) + 1 : otherwise; };
  for (let at = 0, tries = 0; ; tell(at / file.size)) {
    const end = Math.min(at + partSize, file.size);
    const answer = await put(`${at}-${end - 1}`, file.slice(at, end));
    if (answer?.ok) return;
    if (answer?.status === 308) { at = come(answer, end); tries = 0; continue; }
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`The table was not taken (${answer.status}). Drop it again.`);
    if (++tries > maxTries) throw new Error("The table does not get through. Look at your connection, and drop it again.");
    await new Promise(then => setTimeout(then, 500 * 2 ** tries));
    const state = await put("*");
    if (state?.ok) return;
    if (state?.status === 308) at = come(state, 0);
  }
}

// sendItself sends a table to its bucket instead of the form, and goes on with the page
// that shows it.
function sendItself(form) {
  form.addEventListener("submit", async event => {
    const file = form.elements.table.files[0];
    if (!file?.size) return; // the page says what is wrong with it
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const answer = await fetch("/tables/upload", {method: "POST", body: new URLSearchParams({file: file.name, bytes: file.size})});
      const opened = await answer.json().catch(() => ({error: {message: "You may have been signed out. Load the page again."}}));
      if (!answer.ok || opened.error) throw new Error(opened.error.message);
      const tell = tellSent(form);
      await sendParts(file, opened.upload_url, tell);
      tell(1);
      location.assign(form.dataset.drop + opened.table);
    } catch (error) {
      tellSent(form)(null);
      const problem = form.querySelector(".problem") ?? form.appendChild(document.createElement("p"));
      problem.className = "problem";
      problem.setAttribute("role", "alert");
      problem.textContent = error.message;
    }
    button.disabled = false;
  });
}

// edit shows what the rules of a form would do while they are changed, and presses its
// buttons without leaving the page.
function edit(form) {
  let timer, running, newest = 0;
  const headers = {Accept: "text/html"};
  const data = button => { const all = new FormData(form); if (button) all.set(button.name, button.value); return new URLSearchParams(all); };
  const fields = () => [...form.querySelectorAll("textarea[id], input[id]:not([type=checkbox]), select[id]")];
  const place = root => {
    for (const part of root.querySelectorAll("[data-part]")) {
      const here = document.getElementById(part.id);
      if (!here) continue;
      const focus = here.contains(document.activeElement) && document.activeElement;
      if (focus && focus.matches("input[type=search]")) { part.querySelector("#" + focus.id)?.replaceWith(focus); }
      here.replaceWith(part);
      if (focus) (focus.isConnected ? focus : focus.id && document.getElementById(focus.id))?.focus();
    }
  };
  const lost = () => {
    const sign = document.createElement("p");
    sign.className = "block";
    sign.setAttribute("role", "alert");
    sign.textContent = "The server does not answer. Change something to try again.";
    document.getElementById("figures").prepend(sign);
  };
  const look = async () => {
    running?.abort();
    running = new AbortController();
    const asked = ++newest;
    document.getElementById("figures").classList.add("stale");
    try {
      const answer = await fetch("/new/result", {method: "POST", body: data(), headers, signal: running.signal});
      if (!answer.ok) throw new Error();
      const root = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (asked !== newest || !form.isConnected) return;
      place(root);
      if (answer.headers.get("X-State")) {
        history.replaceState(null, "", answer.headers.get("X-State"));
        here = location.pathname + location.search;
      }
    } catch (error) {
      if (error.name !== "AbortError" && asked === newest && form.isConnected) lost();
    }
  };
  // keep puts what was typed while a button was pressed into the page that came of it.
  const keep = before => {
    let typed = false;
    for (const field of before.filter(one => one.value !== one.sent)) {
      const same = document.getElementById(field.id);
      if (same && same.value !== field.value) { same.value = field.value; typed = true; }
    }
    return typed;
  };
  const press = async button => {
    clearTimeout(timer);
    running?.abort();
    newest++;
    document.getElementById("figures").classList.add("stale");
    const before = fields();
    for (const field of before) field.sent = field.value;
    let answer, page;
    try {
      answer = await fetch("/new", {method: "POST", body: data(button), headers});
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch { lost(); return; }
    const next = page.getElementById("editor"), to = new URL(answer.url);
    if (!next) {
      if (answer.redirected) location.assign(answer.url);
      else { form.dataset.whole = ""; form.requestSubmit(button); } // a page that is not this one
      return;
    }
    const focus = document.activeElement?.id, at = scrollY;
    const opened = [...document.querySelectorAll("main details[open][id]")].map(one => one.id);
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
    const typed = keep(before);
    if (to.pathname + to.search !== location.pathname + location.search && answer.redirected) history.pushState(null, "", to);
    here = location.pathname + location.search;
    localTimes(document);
    document.querySelectorAll("[data-editor]").forEach(edit);
    if (typed) document.querySelector("[data-editor] [id]")?.form?.dispatchEvent(new Event("input"));
    scrollTo({top: at, behavior: "instant"});
    (focus && document.getElementById(focus) || document.querySelector(`button[value="${CSS.escape(button.value)}"]`) || document.getElementById("main"))?.focus({preventScroll: true});
    document.querySelector("main [role=alert], main .newchange > .note")?.scrollIntoView({block: "nearest"});
  };
  const find = async (pick, all) => {
    const body = data();
    body.set("of", pick.dataset.pick);
    if (all) body.set("all", "1");
    const answer = await fetch("/new/names", {method: "POST", body, headers}).catch(() => null);
    if (answer?.ok && pick.isConnected) pick.querySelector("[data-list]").innerHTML = await answer.text();
  };
  // chips shows beside a list of names those that are ticked.
  const chips = pick => {
    const into = pick.closest(".condition").querySelector("[data-chips]");
    into.replaceChildren(...[...pick.querySelectorAll("[data-list] input:checked")].map(box => {
      const chip = document.createElement("span"), rows = document.createElement("i"), away = document.createElement("button");
      const [name, counted] = box.parentElement.querySelectorAll("span");
      chip.className = "chip";
      rows.textContent = counted.textContent;
      Object.assign(away, {name: "do", value: `untick:${pick.dataset.pick}:${box.value}`, className: "x", textContent: "×"});
      away.setAttribute("aria-label", `Take ${name.textContent} out`);
      chip.append(name.textContent, " ", rows, away);
      return chip;
    }));
  };
  const soon = () => { clearTimeout(timer); timer = setTimeout(look, 100); };
  form.addEventListener("input", event => {
    const target = event.target;
    if (target.id === "instruction") for (const said of form.querySelectorAll("[data-said]")) said.classList.toggle("old", said.dataset.said !== target.value.trim());
    if (target !== form && target.matches("[data-find]")) { clearTimeout(timer); timer = setTimeout(() => find(target.closest("[data-pick]")), 150); return; }
    if (target !== form && target.matches("[data-list] input")) chips(target.closest("[data-pick]"));
    if (target === form || !target.matches("[data-again]")) soon();
  });
  form.addEventListener("change", event => { if (event.target.matches("[data-again]")) press(form.querySelector("button")); });
  form.addEventListener("click", event => { if (event.target.matches("[data-all]")) find(event.target.closest("[data-pick]"), true); });
  form.addEventListener("keydown", event => {
    if (event.key !== "Enter" || !event.target.matches("[data-fill]") || event.shiftKey) return;
    event.preventDefault();
    press(form.querySelector("button[value=fill]"));
  });
  form.addEventListener("submit", event => {
    if ("whole" in form.dataset || event.submitter?.getAttribute("formaction")) return;
    event.preventDefault();
    press(event.submitter ?? form.querySelector("button"));
  });
}
// beginForms readies the forms of files.
function beginForms() {
  document.querySelectorAll("[data-drop]").forEach(form => {
    if (document.documentElement.hasAttribute("data-uploads")) sendItself(form); else sendWhole(form);
    takeDrops(form);
  });
}

// showSamples shows what stands in the column that is chosen.
function showSamples(list) {
  const cells = document.getElementById(list.dataset.samples);
  list.addEventListener("change", () => { cells.textContent = list.selectedOptions[0].dataset.cells ?? ""; });
}

// here is the state that New change shows: a skip link changes the fragment alone.
let here = location.pathname + location.search;
addEventListener("popstate", () => { if (document.querySelector("[data-editor]") && here !== location.pathname + location.search) location.reload(); });

document.querySelectorAll("[data-live]").forEach(follow); // before times are written in the reader's zone
localTimes(document);
document.querySelectorAll("[data-editor]").forEach(edit);
document.querySelectorAll("textarea").forEach(sendByKeys);
beginForms();
document.querySelectorAll("[data-samples]").forEach(showSamples);
document.documentElement.dataset.ready = "";
