import type { HttpRequest, HttpResponse } from "../src/message/message.ts";

interface Parts {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly signal?: AbortSignal;
}

/** A request as an adapter creates it: `request("GET", "/books?count=true")`. */
export function request(method: string, url: string, { headers = {}, body, text, signal }: Parts = {}): HttpRequest {
  const [path = "", ...queries] = url.split("?");
  const bytes = new TextEncoder().encode(text ?? (body === undefined ? "" : JSON.stringify(body)));
  return {
    method,
    path,
    query: queries.join("?"),
    prefix: "",
    headers: { ...(bytes.length === 0 ? {} : { "content-type": "application/json" }), ...headers },
    body: () => Promise.resolve(bytes),
    signal: signal ?? new AbortController().signal,
    scheme: "http",
    headerCount: 0,
    repeats: () => false,
    address: undefined,
    raw: undefined,
  };
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // The type is up to each test.
  readonly body: unknown;
}

interface Answering {
  readonly handle: (request: HttpRequest) => HttpResponse | null | Promise<HttpResponse | null>;
}

/** Sends a request to an API and parses the JSON response. */
export async function send(api: Answering, method: string, url: string, parts: Parts = {}): Promise<Answered> {
  const response = await api.handle(request(method, url, parts));
  if (response === null) throw new Error(`The API has no route for ${url}.`);
  const { status, headers, body } = response;
  // A stream stays one.
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { status, headers, body };
  const text = await textOf(response);
  return { status, headers, body: text === "" ? text : JSON.parse(text) };
}

/** Returns the body of a response as text, which is empty if the response has none. */
export async function textOf({ body }: Pick<HttpResponse, "body">): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = "";
  for await (const part of body ?? []) text += part;
  return text;
}

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** Sends a GraphQL request. */
export async function ask(api: Answering, query: string, parts: Omit<Parts, "text"> = {}): Promise<GraphqlAnswer> {
  const { body, ...others } = parts;
  const { body: answer } = await send(api, "POST", "/graphql", { ...others, body: { query, variables: body } });
  return answer as GraphqlAnswer;
}
