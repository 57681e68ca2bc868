import { request, textOf } from "@bifocal/test-servers/request";
import type { Caller } from "./callers.ts";
import type { World } from "./world.ts";

/** One request. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly caller: Caller;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every byte of a response. */
export interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Request = Parameters<World["api"]["handle"]>[0];

/** A request as an adapter creates it. */
export function toRequest({ method, url, caller, body, headers }: Asked, signal: AbortSignal): Request {
  const own = caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` };
  return request(method, url, { headers: { accept: "application/json", ...own, ...headers }, body, signal });
}

export async function send({ api }: World, asked: Asked): Promise<Answered> {
  const response = await api.handle(toRequest(asked, new AbortController().signal));
  if (response === null) throw new Error(`${asked.url} is not a URL of the API.`);
  const { status, headers } = response;
  const text = await textOf(response);
  const sent = asked.body === undefined ? "" : ` ${JSON.stringify(asked.body)}`;
  const asksFor = `${asked.method} ${asked.url} ${JSON.stringify(asked.headers ?? {})}${sent}`;
  return { asked: `${asked.caller.name}: ${asksFor}`, status, headers, text };
}
