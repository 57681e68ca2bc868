import { withCredential } from "../credential.ts";
import { forgetCounts } from "../show-counts.ts";
import { keepMessage } from "../message.ts";
import { confirmInDialog } from "./confirm-in-dialog.ts";
import { controlsOf, fieldOf } from "./controls.ts";
import { readBody } from "./read-body.ts";
import { clearForm, showProblem, type ShownProblem } from "./show-problem.ts";
import { showResponse } from "./show-response.ts";

/** Sends a form as JSON when it is submitted. */
export function sendOnSubmit(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void sendForm(form);
  });
}

async function sendForm(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button") as HTMLButtonElement;
  const question = form.dataset["confirm"];
  if (question !== undefined && !(await confirmInDialog(question, button.textContent))) return;
  clearForm(form);
  // The value of an incomplete number or date is empty, so sending it would clear the field.
  const incomplete = controlsOf(form).filter((control) => control.validity.badInput);
  if (incomplete.length > 0) {
    const errors = incomplete.map((control) => ({ path: [fieldOf(control)], message: control.validationMessage }));
    return showProblem(form, { detail: "Please fix the marked fields.", errors });
  }
  button.disabled = true;
  try {
    const response = await request(form);
    if (response.ok) await showSuccess(form, response);
    else {
      if (response.status === 401) document.querySelector("details.session")?.setAttribute("open", "");
      showProblem(form, await readProblem(response));
    }
  } catch (thrown) {
    showProblem(form, { detail: `The server can't be reached. ${(thrown as Error).message}` });
  } finally {
    button.disabled = false;
  }
}

function request(form: HTMLFormElement): Promise<Response> {
  const { method, url, version } = targetOf(form);
  const precondition = version === undefined ? undefined : { "If-Match": `"${version}"` };
  const body = controlsOf(form).length === 0 ? undefined : readBody(form);
  return fetch(url, {
    method,
    headers: withCredential({
      Accept: "application/json",
      ...(body === undefined ? undefined : { "Content-Type": body.type }),
      ...precondition,
    }),
    ...(body === undefined ? undefined : { body: JSON.stringify(body.value) }),
  });
}

interface Target {
  readonly method: string;
  readonly url: string;
  /** The version of the row, so that the form can't overwrite a concurrent change. */
  readonly version: string | undefined;
}

function targetOf({ dataset }: HTMLFormElement): Target {
  return { method: dataset["method"] ?? "POST", url: dataset["url"] ?? "", version: dataset["version"] };
}

function readProblem(response: Response): Promise<ShownProblem> {
  return (response.json() as Promise<ShownProblem>).catch(() => ({ detail: response.statusText }));
}

/** Opens the page that the change leads to, or shows the response. */
async function showSuccess(form: HTMLFormElement, response: Response): Promise<void> {
  forgetCounts();
  const next = form.dataset["next"] ?? response.headers.get("Location");
  const isShown = "answer" in form.dataset && next === null;
  if (!isShown && form.dataset["done"] !== undefined) keepMessage(form.dataset["done"]);
  if (next !== null) location.assign(next);
  else if (isShown) showResponse(form, await response.text());
  else location.reload();
}
