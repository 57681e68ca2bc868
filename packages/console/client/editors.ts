import { byId } from "./elements.ts";
import { isAvailable, printForms, restText, type Source, type Translation } from "./translate.ts";

const rest = byId<HTMLTextAreaElement>("rest");
const graphql = byId<HTMLTextAreaElement>("graphql");
const variables = byId<HTMLTextAreaElement>("variables");

/** The editor that was changed last. */
let edited: "rest" | "graphql" = "rest";

/** Calls a function when the text of an editor changes. */
export function onEdit(listener: () => void): void {
  for (const editor of [rest, graphql, variables]) {
    editor.addEventListener("input", () => {
      edited = editor === rest ? "rest" : "graphql";
      listener();
    });
  }
}

/** Returns the request of the editor that was changed last. Throws if its variables are not JSON. */
export function readEditor(): Source {
  if (edited === "rest") return { request: rest.value };
  const text = variables.value.trim();
  return { document: graphql.value, variables: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** Writes a request into its editor. */
export function writeEditor(source: Source): void {
  if ("request" in source) {
    edited = "rest";
    rest.value = source.request;
  } else {
    edited = "graphql";
    graphql.value = source.document;
    variables.value = JSON.stringify(source.variables, null, 2);
  }
}

/** Writes the translations into the other editor. */
export function followEditor(found: readonly Translation[]): void {
  if (edited === "graphql") {
    rest.value = printForms(
      found.map((one) => one.rest),
      restText,
    );
    return;
  }
  graphql.value = printForms(
    found.map((one) => one.graphql),
    ({ document }) => document,
  );
  const [first] = found;
  const values = first !== undefined && isAvailable(first.graphql) ? first.graphql.variables : {};
  variables.value = Object.keys(values).length === 0 ? "" : JSON.stringify(values, null, 2);
}

export function restEditorText(): string {
  return rest.value;
}
