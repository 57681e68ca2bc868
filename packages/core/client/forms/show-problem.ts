import type { Problem } from "../../src/rest/formats/format.ts";
import { controlsOf, fieldOf, shownControl } from "./controls.ts";

/** The parts of a problem that a form shows. */
export type ShownProblem = Partial<Pick<Problem, "title" | "detail">> & {
  readonly errors?: readonly Pick<NonNullable<Problem["errors"]>[number], "path" | "message">[];
};

/** Shows each error beside its control, and the others at the top of the form. */
export function showProblem(form: HTMLFormElement, { title, detail, errors = [] }: ShownProblem): void {
  const controls = controlsOf(form);
  const others: string[] = [];
  let first: HTMLElement | undefined;
  for (const { path, message } of errors) {
    const control = controls.find(
      (one) => fieldOf(one) === String(path[0] ?? "") && [undefined, path[1]].includes(one.dataset["change"]),
    );
    const place = control && document.getElementById(`${control.id}-error`);
    if (!place) {
      others.push(`${path.join(".")}: ${message}`);
      continue;
    }
    const shown = shownControl(control);
    shown.setAttribute("aria-invalid", "true");
    place.textContent = message;
    place.hidden = false;
    first ??= shown;
  }
  const box = form.querySelector(".errors") as HTMLElement;
  box.textContent = [detail || title || "The request failed.", ...others].join(" ");
  box.hidden = false;
  (first ?? box).focus();
}

/** Removes the problem and the response of the last request from the form. */
export function clearForm(form: HTMLFormElement): void {
  for (const shown of form.querySelectorAll<HTMLElement>(".answer, .error, .errors")) {
    shown.hidden = true;
    shown.textContent = "";
  }
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}
