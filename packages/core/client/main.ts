import { runOnClick } from "./run-request.ts";
import { showImage } from "./show-image.ts";
import { countDown } from "./count-down.ts";
import { copyOnClick } from "./copy-text.ts";
import { explainOnOpen } from "./explain-on-open.ts";
import { downloadOnClick } from "./download.ts";
import { pickRow } from "./picker/pick-row.ts";
import { pickRows } from "./picker/pick-rows.ts";
import { loadJsonOnOpen } from "./load-json.ts";
import { showMessage } from "./message.ts";
import { sendOnSubmit } from "./forms/send-form.ts";
import { submitQuery } from "./forms/submit-query.ts";
import { toggleLiveChanges } from "./live-changes/toggle-live-changes.ts";
import { reloadWithCredential } from "./reload-with-credential.ts";
import { localizeTime } from "./localize-time.ts";
import { keepTab } from "./keep-tab.ts";
import { showDuration } from "./show-duration.ts";
import { showSession } from "./show-session.ts";
import { completeCommand } from "./complete-command.ts";
import { showCounts } from "./show-counts.ts";

/** Opens the form that the fragment names. The browser looked for it before the content was loaded again. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const details = target?.closest("details");
  if (!details || details.open) return;
  details.open = true;
  details.scrollIntoView();
}

function start(): void {
  showMessage();
  for (const element of document.querySelectorAll<HTMLElement>("[data-script]")) element.hidden = false;
  openTarget();
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-pick]")) pickRow(input);
  for (const area of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-pick]")) pickRows(area);
  for (const form of document.querySelectorAll<HTMLFormElement>("form.write")) sendOnSubmit(form);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[method=get]")) submitQuery(form);
  for (const section of document.querySelectorAll<HTMLElement>("[data-events]")) toggleLiveChanges(section);
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) copyOnClick(button);
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-run]")) runOnClick(button);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-image]")) showImage(link);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-csv]")) downloadOnClick(link);
  for (const section of document.querySelectorAll<HTMLDetailsElement>("[data-json]")) loadJsonOnOpen(section);
  for (const section of document.querySelectorAll<HTMLDetailsElement>("[data-explain]")) explainOnOpen(section);
  const session = document.querySelector<HTMLElement>("#session");
  const principal = session === null ? null : showSession(session);
  for (const code of document.querySelectorAll("[data-curl]")) completeCommand(code);
  for (const place of document.querySelectorAll<HTMLElement>("[data-retry]")) countDown(place);
  for (const place of document.querySelectorAll("[data-duration]")) showDuration(place);
  for (const time of document.querySelectorAll("time")) localizeTime(time);
  for (const tabs of document.querySelectorAll<HTMLElement>(".tabs")) keepTab(tabs);
  // Numbers beside the links are not worth a message when they can't be loaded.
  showCounts([...document.querySelectorAll<HTMLElement>("[data-count]")], principal).catch(() => {});
}

void reloadWithCredential()
  .catch(() => {})
  .finally(start);
