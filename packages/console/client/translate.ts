import { credentialHeaders } from "./credential.ts";
import { PREFIX } from "./elements.ts";

interface Reason {
  readonly reason: string;
}
export interface RestForm {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export interface GraphqlForm {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An operation in each style, or the reason why a style has no such request. */
export interface Translation {
  readonly kind: string;
  readonly rest: RestForm | Reason;
  readonly graphql: GraphqlForm | Reason;
  readonly client: { readonly code: string } | Reason;
  readonly cost: number;
  readonly maxCost: number;
  readonly access?: string;
  readonly sql?: { readonly text: string };
}

/** A request as it is in the editors. */
export type Source = { readonly request: string } | GraphqlForm;

/** Parts of an explanation, which the server only returns if they are asked for. */
export interface Wanted {
  readonly access?: boolean;
  readonly sql?: boolean;
}

/** Translates a request on the server. Throws an error with the message of the server. */
export async function translate(source: Source, wanted: Wanted = {}): Promise<readonly Translation[]> {
  const response = await fetch(`${PREFIX}/-/translate`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...credentialHeaders() },
    body: JSON.stringify({ ...source, ...wanted }),
  });
  const body = (await response.json()) as {
    readonly translations?: readonly Translation[];
    readonly detail?: string;
    readonly title?: string;
  };
  if (body.translations === undefined) throw new Error(body.detail ?? body.title ?? `Status ${response.status}.`);
  return body.translations;
}

const READS: ReadonlySet<string> = new Set(["get", "list", "query", "aggregate", "permissions"]);

export function isRead({ kind }: Translation): boolean {
  return READS.has(kind);
}

export function isAvailable<Form extends object>(form: Form | Reason): form is Form {
  return !("reason" in form);
}

/** Prints a REST request as the editor shows it, and as the server reads it. */
export function restText({ method, url, headers, body }: RestForm): string {
  const lines = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
  return [
    `${method} ${url}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ["", JSON.stringify(body, null, 2)]),
  ].join("\n");
}

/** Prints operations in one style, with the reason for each that the style doesn't have. */
export function printForms<Form extends object>(
  forms: readonly (Form | Reason)[],
  print: (form: Form) => string,
): string {
  return forms.map((form) => (isAvailable(form) ? print(form) : `# Not available: ${form.reason}`)).join("\n\n");
}
