/**
 * The script of all pages: it sends forms as JSON, follows changes, and stores a credential in the tab. It inserts text
 * as text only, and uses no markup except that of the API's own pages.
 */
export const PAGE_JS = `"use strict";
(() => {
  const STORED = "bifocal-credential";
  const credential = () => {
    try { return JSON.parse(sessionStorage.getItem(STORED)) || {}; } catch { return {}; }
  };
  const headers = (more) => {
    const { header, value } = credential();
    const own = !value ? {} : header === "Authorization: Bearer" ? { Authorization: "Bearer " + value } : { [header]: value };
    return { ...own, ...more };
  };

  /** Names in forms have a prefix: a field may be called as a property of the form is. */
  const nameOf = (control) => control.name.slice(2);

  function readField(control, isChange) {
    const { value, dataset } = control;
    if (value === "") {
      if ("nullable" in dataset) return null;
      // What may not be empty is the API's to refuse, in its own words.
      if (dataset.kind === "text" && (control.required || isChange)) return "";
      return isChange ? null : undefined;
    }
    if (dataset.kind === "number") return Number.isNaN(Number(value)) ? value : Number(value);
    if (dataset.kind === "boolean") return value === "true";
    if (dataset.kind !== "json") return value;
    try { return JSON.parse(value); } catch { return value; }
  }

  const isChanged = (control) =>
    control.tagName === "SELECT"
      ? control.selectedOptions[0] !== (control.querySelector("option[selected]") || control.options[0])
      : control.value !== control.defaultValue;

  function readForm(form) {
    const body = {};
    const { method } = form.dataset;
    for (const control of form.elements) {
      if (control.dataset.kind === undefined) continue;
      const value = readField(control, method === "PATCH");
      if (nameOf(control) === "") return value;
      if (method === "PATCH" && !isChanged(control)) continue;
      if (value !== undefined && !(value === null && method === "POST")) body[nameOf(control)] = value;
    }
    return body;
  }

  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  /** A form has whole values: what was taken out of an object would stay by a merge patch. */
  function bodyOf(form) {
    const body = readForm(form);
    if (form.dataset.method !== "PATCH") return ["application/json", body];
    if (!Object.values(body).some(isObject)) return ["application/merge-patch+json", body];
    const pathOf = (name) => "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
    const steps = Object.entries(body).map(([name, value]) => ({ op: "add", path: pathOf(name), value }));
    return ["application/json-patch+json", steps];
  }

  function showProblem(form, problem) {
    const box = form.querySelector(".errors");
    const rest = [];
    let first;
    for (const { path, message } of problem.errors || []) {
      const control = form.elements.namedItem("f-" + (path[0] ?? ""));
      const place = control && document.getElementById(control.id + "-error");
      if (!place) { rest.push(path.join(".") + ": " + message); continue; }
      control.setAttribute("aria-invalid", "true");
      place.textContent = message;
      place.hidden = false;
      first = first || control;
    }
    box.textContent = [problem.detail || problem.title || "The request failed.", ...rest].join(" ");
    box.hidden = false;
    (first || box).focus();
  }

  /** What an action has answered is nowhere else. */
  function showAnswer(form, text) {
    const box = form.querySelector(".answer");
    try { box.textContent = JSON.stringify(JSON.parse(text), null, 2); } catch { box.textContent = text; }
    box.hidden = false;
    box.focus();
  }

  function clearProblem(form) {
    for (const answer of form.querySelectorAll(".answer")) { answer.hidden = true; answer.textContent = ""; }

    for (const error of form.querySelectorAll(".error, .errors")) { error.hidden = true; error.textContent = ""; }
    for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  }

  async function send(form) {
    const { method, url, version, confirm: question } = form.dataset;
    if (question && !confirm(question)) return;
    clearProblem(form);
    // The browser gives what is half written as nothing.
    const bad = [...form.elements].filter((control) => control.validity && control.validity.badInput);
    if (bad.length > 0) {
      const errors = bad.map((control) => ({ path: [nameOf(control)], message: control.validationMessage }));
      return showProblem(form, { detail: "Please fix the marked fields.", errors });
    }
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const hasBody = [...form.elements].some((control) => control.dataset.kind !== undefined);
      const [type, body] = hasBody ? bodyOf(form) : [];
      const response = await fetch(url, {
        method,
        headers: headers({
          Accept: "application/json",
          ...(hasBody ? { "Content-Type": type } : {}),
          ...(version ? { "If-Match": '"' + version + '"' } : {}),
        }),
        ...(hasBody ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok) return showProblem(form, await response.json().catch(() => ({ detail: response.statusText })));
      if (method === "DELETE") return void location.assign(url.slice(0, url.lastIndexOf("/")));
      const place = response.headers.get("Location");
      if (place) location.assign(place);
      else if ("answer" in form.dataset) showAnswer(form, await response.text());
      else location.reload();
    } catch (thrown) {
      showProblem(form, { detail: "The server can't be reached. " + thrown.message });
    } finally {
      button.disabled = false;
    }
  }

  async function follow(section, signal) {
    const list = section.querySelector("ol");
    const state = section.querySelector(".state");
    const response = await fetch(section.dataset.events, { headers: headers({ Accept: "text/event-stream" }), signal });
    if (!response.ok) { state.textContent = "Live changes are not available: " + response.status; return; }
    state.textContent = "Listening…";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      const events = text.split("\\n\\n");
      text = events.pop();
      for (const event of events) {
        const kind = /^event: (.*)$/m.exec(event);
        const data = /^data: (.*)$/m.exec(event);
        if (!kind || !data) continue;
        const item = document.createElement("li");
        const code = document.createElement("code");
        code.textContent = data[1];
        item.append(new Date().toLocaleTimeString() + " " + kind[1] + " ", code);
        list.prepend(item);
        while (list.children.length > 100) list.lastChild.remove();
      }
    }
    state.textContent = "The server ended the stream.";
  }

  function watchEvents(section) {
    let stop;
    const button = section.querySelector("button");
    const show = () => {
      button.setAttribute("aria-pressed", String(Boolean(stop)));
      button.textContent = stop ? "Stop" : "Start";
    };
    button.addEventListener("click", () => {
      if (stop) { stop.abort(); stop = undefined; } else {
        const own = (stop = new AbortController());
        follow(section, own.signal)
          .catch(() => {
            section.querySelector(".state").textContent = own.signal.aborted ? "" : "The connection was lost.";
          })
          .finally(() => {
            if (stop === own) stop = undefined;
            show();
          });
      }
      show();
    });
  }

  function keepCredential(form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(STORED, JSON.stringify({ header: form.elements.header.value, value: form.elements.value.value }));
      location.reload();
    });
    form.addEventListener("reset", () => { sessionStorage.removeItem(STORED); location.reload(); });
  }

  /** With a credential the page is what its holder sees. */
  async function readAgain() {
    if (!credential().value) return;
    const response = await fetch(location.href, { headers: headers({ Accept: "text/html" }) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const main = page.getElementById("main");
    if (main) document.getElementById("main").replaceWith(document.adoptNode(main));
    document.title = page.title;
  }

  function start() {
    for (const element of document.querySelectorAll("[data-script]")) element.hidden = false;
    for (const form of document.querySelectorAll("form.write")) {
      form.addEventListener("submit", (event) => { event.preventDefault(); void send(form); });
    }
    for (const section of document.querySelectorAll("[data-events]")) watchEvents(section);
    for (const code of document.querySelectorAll("[data-curl]")) {
      code.textContent = code.textContent.replace(" '/", " '" + location.origin + "/");
    }
  }

  const form = document.getElementById("credential");
  if (form) keepCredential(form);
  readAgain().catch(() => {}).finally(start);
})();
`;
