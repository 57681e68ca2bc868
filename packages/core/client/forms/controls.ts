export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the controls of a form that hold values of the body. */
export function controlsOf(form: HTMLFormElement): readonly Control[] {
  return [...form.querySelectorAll<Control>("[data-kind]")];
}

/** Names in forms have a prefix, because a field may have the name of a property of forms. */
export function fieldOf(control: Control): string {
  return control.name.slice("f-".length);
}

/** Returns the element that shows a control, and takes its focus: a key is behind the label of its row. */
export function shownControl(control: Control): HTMLElement {
  return document.getElementById(`${control.id}-picker`) ?? control;
}

export function isBox(control: Control): control is HTMLInputElement {
  return control.type === "checkbox";
}

export function isChanged(control: Control): boolean {
  if (isBox(control)) return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  const initial = control.querySelector("option[selected]") ?? control.options[0];
  return control.selectedOptions[0] !== initial;
}
