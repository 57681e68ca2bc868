import { startBuilder } from "./builder.ts";
import { keepCredential } from "./credential.ts";
import { byId, showMessage } from "./elements.ts";
import { clearResponses, sendGraphql, sendRest } from "./send.ts";
import { isAvailable, restText, type Source, translate, type Translation } from "./translate.ts";
import { stopWatch, toggleWatch } from "./watch.ts";

const PAUSE = 250;
const rest = byId<HTMLTextAreaElement>("rest");
const graphql = byId<HTMLTextAreaElement>("graphql");
const variables = byId<HTMLTextAreaElement>("variables");

/** The editor that was changed last. */
let edited: "rest" | "graphql" = "rest";
let shown: readonly Translation[] = [];
let latest = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function sourceOf(): Source {
  if (edited === "rest") return { request: rest.value };
  const text = variables.value.trim();
  return { document: graphql.value, variables: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** Translates the edited request, and writes it into the other editor. */
async function update(): Promise<void> {
  const turn = ++latest;
  clearTimeout(timer);
  stopWatch();
  clearResponses();
  try {
    const source = sourceOf();
    history.replaceState(null, "", `#${new URLSearchParams({ source: JSON.stringify(source) }).toString()}`);
    const found = await translate(source);
    if (turn !== latest) return;
    shown = found;
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
  const textOf = <Form extends object>(
    forms: readonly (Form | { readonly reason: string })[],
    print: (form: Form) => string,
  ) => forms.map((form) => (isAvailable(form) ? print(form) : `# Not available: ${form.reason}`)).join("\n\n");
  const [first] = found;
  if (edited === "rest") {
    graphql.value = textOf(
      found.map((one) => one.graphql),
      ({ document }) => document,
    );
    const values = first !== undefined && isAvailable(first.graphql) ? first.graphql.variables : {};
    variables.value = Object.keys(values).length === 0 ? "" : JSON.stringify(values, null, 2);
  } else {
    rest.value = textOf(
      found.map((one) => one.rest),
      restText,
    );
  }
  byId("client").textContent = textOf(
    found.map((one) => one.client),
    ({ code }) => `await ${code}`,
  );
  const cost = found.reduce((sum, one) => sum + one.cost, 0);
  byId("cost").textContent = first === undefined ? "" : `Cost ${cost} of ${first.maxCost}`;
  const access = found.flatMap((one) => one.access ?? []).join("\n\n");
  byId("access").textContent = access;
  byId("access-part").hidden = access === "";
}

/** Sends a read in both styles. A write is sent once, in the style that was edited. */
async function run(): Promise<void> {
  await update();
  const [first] = shown;
  if (first === undefined) return;
  const isRead = isAvailable(first.rest) ? ["GET", "QUERY"].includes(first.rest.method) : edited === "graphql";
  const sent: Promise<void>[] = [];
  if ((isRead || edited === "rest") && shown.length === 1 && isAvailable(first.rest)) sent.push(sendRest(first.rest));
  if (edited === "graphql") sent.push(sendGraphql(sourceOf() as Exclude<Source, { readonly request: string }>));
  else if (isRead && isAvailable(first.graphql)) sent.push(sendGraphql(first.graphql));
  await Promise.all(sent).catch((error: unknown) => showMessage(String(error), true));
}

function edit(style: typeof edited): void {
  edited = style;
  clearTimeout(timer);
  timer = setTimeout(() => void update(), PAUSE);
}

function watchedUrl(): string | undefined {
  const form = shown.length === 1 ? shown[0]?.rest : undefined;
  return form !== undefined && isAvailable(form) && form.method === "GET" ? form.url : undefined;
}

function open(source: Source): void {
  if ("request" in source) {
    edited = "rest";
    rest.value = source.request;
  } else {
    edited = "graphql";
    graphql.value = source.document;
    variables.value = JSON.stringify(source.variables, null, 2);
  }
  void update();
}

rest.addEventListener("input", () => edit("rest"));
for (const editor of [graphql, variables]) editor.addEventListener("input", () => edit("graphql"));
byId("run").addEventListener("click", () => void run());
byId("watch").addEventListener("click", () => void toggleWatch(watchedUrl()));
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run();
});
keepCredential();
const linked = new URLSearchParams(location.hash.slice(1)).get("source");
if (linked !== null) open(JSON.parse(linked) as Source);
void startBuilder((request) => open({ request })).then(() => {
  if (linked === null) byId<HTMLFormElement>("builder").requestSubmit();
});
