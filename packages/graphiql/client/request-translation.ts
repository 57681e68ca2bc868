/** A request in a style, or the reason why the style has no such request. */
export type Form<Text> = Text | { readonly reason: string };

/** An operation of a document in other styles, as `POST /-/translate` returns it. */
export interface Translation {
  readonly rest: Form<{
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }>;
  readonly client: Form<{ readonly code: string }>;
  readonly curl: Form<{ readonly command: string }>;
}

export interface SentDocument {
  readonly document: string;
  readonly variables: string;
  readonly operationName: string | undefined;
}

/** Translates a document. Throws an error with a message for the page. */
export async function requestTranslation(
  url: string,
  { document, variables, operationName }: SentDocument,
  signal: AbortSignal,
): Promise<readonly Translation[]> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ document, variables: parseVariables(variables), operationName }),
    signal,
  });
  if (response.status === 404) throw new Error("This server doesn't translate documents. Introspection may be off.");
  const body = (await response.json()) as { readonly translations?: readonly Translation[]; readonly detail?: string };
  if (body.translations === undefined) throw new Error(body.detail ?? `The server returned ${response.status}.`);
  return body.translations;
}

function parseVariables(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The variables are not valid JSON.");
  }
}
