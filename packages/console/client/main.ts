import { type Builder, startBuilder } from "./builder.ts";
import { curlOf } from "./curl.ts";
import { copyOnClick } from "./copy.ts";
import { followEditor, onEdit, readEditor, restEditorText, writeEditor } from "./editors.ts";
import { byId, EXPLAINS, showMessage, showPart } from "./elements.ts";
import { startSession } from "./session.ts";
import { clearResponses, sendGraphql, sendRest } from "./send.ts";
import { isAvailable, isRead, printForms, type Source, translate, type Translation } from "./translate.ts";
import { stopWatch, streamOf, toggleWatch } from "./watch.ts";

/** Milliseconds without a change before an edited request is translated. */
const PAUSE = 250;

let shown: readonly Translation[] = [];
let latest = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let builder: Builder | undefined;

/** Translates the edited request, and shows everything that follows from it. */
async function update(): Promise<void> {
  const turn = ++latest;
  clearTimeout(timer);
  stopWatch();
  clearResponses();
  showPart("sql", "");
  try {
    const source = readEditor();
    history.replaceState(null, "", `#${new URLSearchParams({ source: JSON.stringify(source) }).toString()}`);
    const found = await translate(source, EXPLAINS ? { access: true } : {});
    if (turn !== latest) return;
    shown = found;
    followEditor(found);
    show(found);
    showMessage("");
  } catch (error) {
    if (turn !== latest) return;
    shown = [];
    byId("cost").textContent = "";
    showMessage(error instanceof Error ? error.message : String(error), true);
  }
}

function show(found: readonly Translation[]): void {
  byId("client").textContent = printForms(
    found.map((one) => one.client),
    ({ code }) => `await ${code}`,
  );
  byId("curl").textContent = printForms(
    found.map(({ rest }) => rest),
    curlOf,
  );
  const [first] = found;
  const cost = found.reduce((sum, one) => sum + one.cost, 0);
  byId("cost").textContent =
    first === undefined ? "" : `Cost ${cost.toLocaleString("en")} of ${first.maxCost.toLocaleString("en")}`;
  showPart("access", found.flatMap((one) => one.access ?? []).join("\n\n"));
  const focused = document.activeElement;
  if (focused === null || focused.closest("#builder") === null) builder?.show(restEditorText());
}

/** Sends a read in both styles. A write is sent once, in the style that was edited. A subscription is watched. */
async function run(): Promise<void> {
  await update();
  const [first] = shown;
  if (first === undefined) return;
  const source = readEditor();
  if (first.kind === "watch") return toggleWatch(streamOf(source, shown));
  const reads = shown.every(isRead);
  const sent: Promise<void>[] = [];
  if ("document" in source) sent.push(sendGraphql(source));
  else if (reads && isAvailable(first.graphql)) sent.push(sendGraphql(first.graphql));
  if ((reads || "request" in source) && shown.length === 1 && isAvailable(first.rest)) sent.push(sendRest(first.rest));
  const turn = latest;
  await Promise.all(sent).catch((error: unknown) => showMessage(String(error), true));
  // The statements are read after the responses, so that they don't delay them.
  if (EXPLAINS) await explain(source, turn);
}

async function explain(source: Source, turn: number): Promise<void> {
  const found = await translate(source, { sql: true }).catch(() => []);
  if (turn === latest) showPart("sql", found.flatMap(({ sql }) => sql?.text ?? []).join("\n\n"));
}

function open(source: Source): void {
  writeEditor(source);
  void update();
}

onEdit(() => {
  clearTimeout(timer);
  timer = setTimeout(() => void update(), PAUSE);
});
byId("run").addEventListener("click", () => void run());
byId("watch").addEventListener("click", () => void toggleWatch(streamOf(readEditor(), shown)));
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run();
});
startSession(() => void update());
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) copyOnClick(button);
const linked = new URLSearchParams(location.hash.slice(1)).get("source");
if (linked !== null) open(JSON.parse(linked) as Source);
void startBuilder((request) => open({ request })).then((started) => {
  builder = started;
  if (linked === null) open({ request: started.read() });
  else builder.show(restEditorText());
});
