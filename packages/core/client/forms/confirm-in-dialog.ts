/** Asks a question in a dialog. Resolves to true if the user chose the button with the given label. */
export function confirmInDialog(question: string, label: string): Promise<boolean> {
  const dialog = document.createElement("dialog");
  const text = document.createElement("p");
  text.id = "question";
  text.textContent = question;
  dialog.setAttribute("aria-labelledby", text.id);
  const cancel = createButton("Cancel");
  const accept = createButton(label);
  accept.className = "danger";
  dialog.append(text, cancel, accept);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    accept.addEventListener("click", () => dialog.close("accepted"));
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "accepted");
    });
  });
}

function createButton(label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  return button;
}
