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
  readonly rest: RestForm | Reason;
  readonly graphql: GraphqlForm | Reason;
  readonly client: { readonly code: string } | Reason;
  readonly cost: number;
  readonly maxCost: number;
  readonly access?: string;
}

/** A request as it is in the editors. */
export type Source = { readonly request: string } | GraphqlForm;

/** Translates a request on the server. Throws an error with the message of the server. */
export async function translate(source: Source): Promise<readonly Translation[]> {
  const response = await fetch(`${PREFIX}/console/translate`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...credentialHeaders() },
    body: JSON.stringify(source),
  });
  const body = (await response.json()) as {
    readonly translations?: readonly Translation[];
    readonly detail?: string;
    readonly title?: string;
  };
  if (body.translations === undefined) throw new Error(body.detail ?? body.title ?? `Status ${response.status}.`);
  return body.translations;
}

export function isAvailable<Form extends object>(form: Form | Reason): form is Form {
  return !("reason" in form);
}

/** Prints a REST request as the editor shows it, and as the server reads it. */
export function restText({ method, url, body }: RestForm): string {
  return `${method} ${url}${body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`}`;
}
