// Adds the interactive parts of the page: copying, running, and live notes.

for (const figure of document.querySelectorAll("figure")) {
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  if (figure.dataset.url) buttons.append(button("Run", () => run(figure)));
  const copy = button("Copy", async () => {
    await navigator.clipboard.writeText(figure.querySelector("code").textContent);
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  // Browsers allow the clipboard only on https and on loopback.
  if (navigator.clipboard) buttons.append(copy);
  figure.append(buttons);
}

function button(text, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.addEventListener("click", act);
  return element;
}

async function run(figure) {
  const answer = figure.querySelector(".answer") ?? figure.appendChild(document.createElement("pre"));
  answer.className = "answer";
  answer.tabIndex = 0;
  answer.textContent = "…";
  const started = performance.now();
  const response = await send(figure.dataset.method, figure.dataset.url, figure.dataset.body);
  const text = await response.text();
  const took = (performance.now() - started).toFixed(0);
  answer.textContent = `${response.status} ${response.statusText} in ${took} ms\n${pretty(text)}`;
}

function send(method, url, body) {
  return fetch(
    url,
    body === undefined ? { method } : { method, body, headers: { "content-type": "application/json" } },
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const live = document.querySelector("#live");
const list = live.querySelector("ol");
const form = live.querySelector("form");
const cityId = Number(live.dataset.city);
const seen = new Set();

function show(note) {
  if (note === null || seen.has(note.id)) return;
  seen.add(note.id);
  const item = document.createElement("li");
  const by = document.createElement("strong");
  by.textContent = note.by;
  item.append(by, ` ${note.text} `, new Date(note.createdAt).toLocaleTimeString());
  list.prepend(item);
}

const filter = `filter[cityId]=${cityId}`;
const stream = new EventSource(`/api/notes?${filter}`);
stream.addEventListener("created", ({ data }) => show(JSON.parse(data)));
// Runs also after a reconnection, so that notes written in between appear.
stream.addEventListener("open", () => void showNotes());

async function showNotes() {
  const response = await fetch(`/api/notes?${filter}&sort=-createdAt&page[size]=20`);
  for (const note of (await response.json()).reverse()) show(note);
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void sendNote();
});

async function sendNote() {
  const note = { cityId, by: form.by.value, text: form.text.value };
  const response = await send("POST", "/api/notes", JSON.stringify(note));
  const problem = response.ok ? null : await response.json();
  form.querySelector("output").textContent =
    problem === null ? "" : (problem.errors?.map(({ message }) => message).join(" ") ?? problem.detail);
  if (problem === null) form.text.value = "";
}
