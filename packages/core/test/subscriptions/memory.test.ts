import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { z } from "zod";
import type { HttpRequest } from "../../src/adapter.ts";
import { allow, type AnyApi, defineApi, defineResource } from "../../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const query = "subscription { bookCreated { id title } }";
const REQUESTS: Readonly<Record<string, Partial<HttpRequest>>> = {
  "an event stream of REST": { method: "GET", path: "/books" },
  "an event stream of GraphQL": {
    method: "POST",
    path: "/graphql",
    body: () => Buffer.from(JSON.stringify({ query })),
  },
};

/** Opens a stream like an adapter, and keeps only its body. */
async function open(
  api: AnyApi,
  parts: Partial<HttpRequest>,
): Promise<{ readonly body: AsyncIterator<string>; readonly kept: readonly WeakRef<object>[] }> {
  const controller = new AbortController();
  const headers = { accept: "text/event-stream", "content-type": "application/json" };
  const request = {
    query: "",
    headers,
    headerCount: 2,
    repeats: () => false,
    address: undefined,
    scheme: "http",
    prefix: "",
    signal: controller.signal,
    raw: {},
    ...parts,
  } as HttpRequest;
  const response = await api["~http"].handle(request);
  if (response === null || response.status !== 200) throw new Error(`No stream: ${JSON.stringify(response)}`);
  const body = (response.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  expect((await body.next()).value).toMatch(/^:/);
  return { body, kept: [new WeakRef(request), new WeakRef(controller.signal)] };
}

test.each(Object.entries(REQUESTS))("%s does not retain its request", async (_name, parts) => {
  const api = defineApi({ resources: [book] });
  await api.ready;
  const { body, kept } = await open(api, parts);
  const next = body.next();
  // Wait until the promises of opening have settled and their memory is collected.
  for (let turn = 0; turn < 50 && kept.some((reference) => reference.deref() !== undefined); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  expect(kept.map((reference) => reference.deref() !== undefined)).toEqual([false, false]);
  // The stream still delivers changes.
  await api.as(null).book.create({ id: 1, title: "Dune" });
  expect((await next).value).toContain("Dune");
  await body.return?.();
  await api.close();
});
