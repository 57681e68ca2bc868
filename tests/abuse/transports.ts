import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import type { Asked } from "./attacks.ts";

/** A GraphQL result, or the error response instead of it. */
export interface Answered {
  readonly data?: object | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly limit?: string;
      readonly errors?: readonly { readonly code: string }[];
    };
  }[];
}

export type Transport = (url: string, asked: Asked) => Promise<Answered>;

const JSON_TYPE = { "content-type": "application/json" };
const postTo = (url: string, body: unknown, accept = "application/json"): Promise<Response> =>
  fetch(`${url}/graphql`, { method: "POST", headers: { ...JSON_TYPE, accept }, body: JSON.stringify(body) });

const post: Transport = async (url, asked) => (await postTo(url, asked)).json() as Promise<Answered>;

/** By GET up to the maximum length of a URL, otherwise by POST. */
const get: Transport = async (url, asked) => {
  const search = new URLSearchParams({ query: asked.query, variables: JSON.stringify(asked.variables ?? {}) });
  if (search.toString().length > 8_192 || asked.query.startsWith("mutation")) return post(url, asked);
  return (await fetch(`${url}/graphql?${search.toString()}`)).json() as Promise<Answered>;
};

const batch: Transport = async (url, asked) => {
  const answered = (await (await postTo(url, [asked])).json()) as Answered | readonly [Answered];
  // A response that isn't a list rejects the whole batch.
  return "length" in answered ? answered[0] : answered;
};

/** Returns the first result of an event stream, or its rejection. */
const eventStream: Transport = async (url, asked) => {
  const text = await (await postTo(url, asked, "text/event-stream")).text();
  const data = /^event: next\ndata: (.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as Answered;
};

const webSocket: Transport = async (url, asked) => {
  const client = createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  try {
    const { query, variables = {} } = asked;
    const { value } = (await client.iterate({ query, variables }).next()) as { readonly value: Answered };
    return value;
  } catch (thrown) {
    // An error message of the protocol contains only the errors. A closed socket has a code.
    return Array.isArray(thrown) ? { errors: thrown as NonNullable<Answered["errors"]> } : { errors: [closed(thrown)] };
  } finally {
    await client.dispose();
  }
};

/** An invalid protocol message closes the socket with 4400 ("Bad Request"). */
function closed(thrown: unknown): { readonly message: string; readonly extensions: { readonly code: string } } {
  const { code, reason } = thrown as { readonly code?: number; readonly reason?: string };
  return { message: `${reason}`, extensions: { code: code === 4400 ? "BAD_REQUEST" : `closed with ${code}` } };
}

export const TRANSPORTS: Readonly<Record<string, Transport>> = {
  POST: post,
  GET: get,
  batch,
  "event stream": eventStream,
  WebSocket: webSocket,
};
