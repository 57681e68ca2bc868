import type { LensBody, LensOperation, LensView } from "../../src/lens/lens-view.ts";
import { fetchAgain } from "../fetch-again.ts";
import { credentialHeaders } from "../role.ts";

export type Source = { readonly style: "rest" | "graphql"; readonly text: string };
export type { LensOperation, LensView };

export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly body: unknown;
  readonly total: string | null;
}

const JSON_HEADERS = { Accept: "application/json", "Content-Type": "application/json" };

/** Translates a request on the server. Throws an error with the message of the server. */
export async function translate(body: LensBody, signal: AbortSignal): Promise<LensView> {
  const response = await fetchAgain("/lens", {
    method: "POST",
    headers: { ...JSON_HEADERS, ...credentialHeaders() },
    body: JSON.stringify(body),
    signal,
  });
  const view = (await response.json()) as LensView | { readonly detail?: string; readonly message?: string };
  if ("operations" in view) return view;
  throw new Error(view.detail ?? view.message ?? `The server returned status ${response.status}.`);
}

type Available<Form> = Exclude<Form, { readonly reason: string }>;

export function sendRest(
  { method, url, headers, body }: Available<LensOperation["rest"]>,
  signal: AbortSignal,
): Promise<Answer> {
  return send(`/api${url}`, {
    method,
    headers: { ...JSON_HEADERS, ...headers, ...credentialHeaders() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
}

export function sendGraphql(document: string, signal: AbortSignal): Promise<Answer> {
  return send("/api/graphql", {
    method: "POST",
    headers: { ...JSON_HEADERS, ...credentialHeaders() },
    body: JSON.stringify({ query: document }),
    signal,
  });
}

// Durations must be those of the server, so responses of the browser's cache don't count.
async function send(url: string, init: Parameters<typeof fetchAgain>[1]): Promise<Answer> {
  const start = performance.now();
  const response = await fetchAgain(url, { ...init, cache: "no-store" });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  return { status: response.status, milliseconds, body: parse(text), total: response.headers.get("Total-Count") };
}

function parse(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}
