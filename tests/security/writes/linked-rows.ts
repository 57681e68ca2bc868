import {
  type AnyApi,
  allow,
  asSystem,
  type Bus,
  defineApi,
  defineResource,
  hasRole,
  manyToMany,
  type Principal,
  silentLog,
  type Store,
} from "@bifocal/core";
import { expect } from "vitest";
import { z } from "zod";
import { ADAPTERS } from "../access/doors.ts";
import { bearerOf } from "./each-store.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const keeper = hasRole("keeper");
const read = ({ principal }: { principal: Principal | null }) => keeper({ principal }) || { isPublic: { eq: true } };
const fields = { id: z.string(), title: z.string(), isPublic: z.boolean() };
const book = defineResource("book", {
  fields,
  relations: { tags: manyToMany("tag") },
  access: { ...open, read },
});
const tag = defineResource("tag", {
  fields,
  relations: { books: manyToMany("book") },
  access: { ...open, read },
});
// Anonymous callers see a club through its members, but they can't see the members.
const member = defineResource("member", { fields, access: { ...open, read: keeper } });
const club = defineResource("club", {
  fields,
  relations: { members: manyToMany("member") },
  access: {
    ...open,
    read: (asked: { principal: Principal | null }) =>
      keeper(asked) || { or: [{ isPublic: { eq: true } }, { members: { some: { isPublic: { eq: true } } } }] },
  },
});

const auth = bearerOf({ keeper: { id: "k", roles: ["keeper"] } });

export function createApi(store: Store, events?: Bus) {
  return defineApi({
    resources: [book, tag, member, club],
    store,
    auth,
    log: silentLog,
    ...(events === undefined ? {} : { events }),
  });
}
export type LinkApi = ReturnType<typeof createApi>;
export const rowsOf = (api: LinkApi) => api.as(asSystem("a test changes its rows"));

export async function prepare(api: LinkApi): Promise<void> {
  await api.ready;
  const rows = rowsOf(api);
  const publicRows = ["b", "start", "end", "shown", "also", "public"];
  const ids = {
    book: ["b", "veiled", "start", "end"],
    tag: ["shown", "also", "hidden", "gone", "start", "end"],
    member: ["public", "private"],
    club: ["c", "start", "end"],
  };
  for (const name of ["book", "tag", "member", "club"] as const) {
    for (const id of ids[name]) await rows[name].create({ id, title: "x", isPublic: publicRows.includes(id) });
  }
}

interface Listener {
  /** The rows of all events up to the last, and the id of the first event. */
  readonly heard: Promise<{ readonly rows: readonly string[]; readonly first: string }>;
}

/** Listens over REST, or over GraphQL if `query` is given, until the end is marked. */
export async function listen(
  url: string,
  who: string,
  path: string,
  query?: string,
  after?: string,
): Promise<Listener> {
  const response = await fetch(url + path, {
    // Closes a stream that doesn't end, so that the server can close.
    signal: AbortSignal.timeout(10_000),
    method: query === undefined ? "GET" : "POST",
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      ...(who === "" ? {} : { authorization: `Bearer ${who}` }),
      ...(after === undefined ? {} : { "last-event-id": after }),
    },
    ...(query === undefined ? {} : { body: JSON.stringify({ query }) }),
  });
  expect(response.status).toBe(200);
  const all = async () => {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        if (text.includes('"title":"end"')) break;
      }
    } catch (thrown) {
      throw new Error(`The stream did not come to its end: ${text}`, { cause: thrown });
    }
    const rows = [...text.matchAll(/"id":"(\w+)","title"/g)].map(([, id]) => id as string);
    return { rows, first: /^id: ?(.+)$/m.exec(text)?.[1] ?? "" };
  };
  return { heard: all() };
}

export async function withServer(api: AnyApi, work: (url: string) => Promise<void>): Promise<void> {
  const { url, close } = (await ADAPTERS["node-http"]?.(api)) ?? {};
  if (url === undefined) throw new Error("Unknown adapter.");
  try {
    await work(url);
  } finally {
    await close?.();
  }
}

/** Counts the events of each row, except for the deleted one: its events depend on when they are read. */
export function count(rows: readonly string[]): Readonly<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const id of rows) if (id !== "gone") all[id] = (all[id] ?? 0) + 1;
  return all;
}

export const CALLERS = ["", "keeper"] as const;

const ROW = { id: "b", title: "x", isPublic: true };
export const START = {
  resource: "book",
  kind: "updated",
  key: "start",
  before: { ...ROW, id: "start" },
  after: { ...ROW, id: "start", title: "y" },
};
export const END = { ...START, key: "end" };
export const OLD = { resource: "book", kind: "updated", key: "b", before: ROW, after: ROW, links: ["tags"] } as const;
