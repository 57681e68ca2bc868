import { keepCredential } from "./credential.ts";
import { sendOnSubmit } from "./forms/send-form.ts";
import { toggleLiveChanges } from "./live-changes/toggle-live-changes.ts";
import { reloadWithCredential } from "./reload-with-credential.ts";
import { completeCommand } from "./complete-command.ts";

function start(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-script]")) element.hidden = false;
  for (const form of document.querySelectorAll<HTMLFormElement>("form.write")) sendOnSubmit(form);
  for (const section of document.querySelectorAll<HTMLElement>("[data-events]")) toggleLiveChanges(section);
  for (const code of document.querySelectorAll("[data-curl]")) completeCommand(code);
}

const form = document.querySelector<HTMLFormElement>("#credential");
if (form !== null) keepCredential(form);
void reloadWithCredential()
  .catch(() => {})
  .finally(start);
