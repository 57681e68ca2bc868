import { isBifocalError } from "@bifocal/core";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { type Library, user } from "./library.ts";

/** The API, its URL, and the caller. */
export interface At {
  readonly api: Library;
  readonly url: string;
  readonly user: string;
}

/** Requests the first page of books through one door. Returns undefined on success, or the code of the rejection. */
export type Door = (at: At) => Promise<string | undefined>;

const QUERY = "{ books { nodes { id title } } }";
const SUBSCRIPTION = "subscription { bookUpdated { id } }";

interface Result {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}
const codeIn = ({ errors }: Result): string | undefined => errors?.[0]?.extensions?.code;

async function rest(
  { url, user }: At,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<string | undefined> {
  const path = init.method === undefined ? "/books?fields=id,title" : "/books";
  const response = await fetch(url + path, { headers: { "x-user": user, ...headers }, ...init });
  if (response.ok) {
    await response.body?.cancel();
    return undefined;
  }
  return ((await response.json()) as { readonly code: string }).code;
}

function post({ url, user }: At, body: unknown, accept = "application/json"): Promise<Response> {
  const headers = { "content-type": "application/json", accept, "x-user": user };
  return fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function firstEvent(response: Response): Promise<Result> {
  let text = "";
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    const data = /^event: next\ndata: (.*)$/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data) as Result;
  }
  return JSON.parse(text) as Result;
}

async function overSocket({ url, user }: At, query: string): Promise<string | undefined> {
  const client = createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { user },
    retryAttempts: 0,
  });
  try {
    const { value } = (await client.iterate({ query }).next()) as { readonly value: Result };
    return codeIn(value);
  } catch (thrown) {
    return Array.isArray(thrown) ? codeIn({ errors: thrown as NonNullable<Result["errors"]> }) : String(thrown);
  } finally {
    await client.dispose();
  }
}

async function inProcess(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return isBifocalError(thrown) ? thrown.code : String(thrown);
  }
}

/** All doors run the same operation. */
export const DOORS: Readonly<Record<string, Door>> = {
  REST: (at) => rest(at),
  "REST, QUERY": (at) =>
    rest(at, { "content-type": "application/json" }, { method: "QUERY", body: '{"fields":["id","title"]}' }),
  "GraphQL by POST": async (at) => codeIn((await (await post(at, { query: QUERY })).json()) as Result),
  "GraphQL by GET": async ({ url, user }) => {
    const response = await fetch(`${url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers: { "x-user": user } });
    return codeIn((await response.json()) as Result);
  },
  "GraphQL in a batch": async (at) => codeIn(((await (await post(at, [{ query: QUERY }])).json()) as [Result])[0]),
  "GraphQL as an event stream": async (at) =>
    codeIn(await firstEvent(await post(at, { query: QUERY }, "text/event-stream"))),
  "GraphQL over WebSocket": (at) => overSocket(at, QUERY),
  "a local call": ({ api, user: id }) =>
    inProcess(() => api.as(user(id)).book.list({ select: { id: true, title: true } })),
};

/** Opens a stream of changes, which costs one point. */
export const STREAMS: Readonly<Record<string, Door>> = {
  "event stream of REST": (at) => rest(at, { accept: "text/event-stream" }),
  "event stream of GraphQL": async (at) => {
    const response = await post(at, { query: SUBSCRIPTION }, "text/event-stream");
    const answered = await Promise.race([firstEvent(response), new Promise<Result>((go) => setTimeout(go, 150, {}))]);
    return codeIn(answered);
  },
  "subscription over WebSocket": async (at) =>
    Promise.race([overSocket(at, SUBSCRIPTION), new Promise<undefined>((go) => setTimeout(() => go(undefined), 300))]),
};
