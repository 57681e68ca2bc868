import type { World } from "./world.ts";

/** A request of P in one of the styles. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly accept?: string;
}

/** The parts of a response that are compared. */
export interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Every byte of the response. */
export async function answer(
  { api }: World,
  { method, url, body, accept: type = "application/json" }: Asked,
): Promise<Answered> {
  const response = await api.handle(toRequest(method, url, body, type, new AbortController().signal));
  if (response === null) throw new Error(`${url} is none of the API.`);
  const { status, headers } = response;
  let text = "";
  if (typeof response.body === "string") text = response.body;
  else if (response.body instanceof Uint8Array) text = new TextDecoder().decode(response.body);
  else if (response.body !== null) for await (const piece of response.body) text += piece;
  return { asked: `${method} ${url}`, status, headers, text };
}

type Request = Parameters<World["api"]["handle"]>[0];

function toRequest(method: string, url: string, body: unknown, type: string, signal: AbortSignal): Request {
  const [path = "", search = ""] = url.split("?");
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  const content = body === undefined ? {} : { "content-type": "application/json" };
  return {
    method,
    path,
    query: search,
    prefix: "",
    headers: { authorization: "Bearer p", accept: type, ...content },
    body: () => Promise.resolve(bytes),
    signal,
    scheme: "http",
    headerCount: 0,
    repeats: () => false,
    address: undefined,
    raw: undefined,
  };
}
