import { allow, BifocalError, defineApi, defineResource, memoryStore, silentLog, type Store } from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { listen } from "./listen.ts";
import { document, operation, rows, server, store } from "./expected.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();
const memory = memoryStore({ data: { note: [{ id: 1, text: "one" }] } });
let thrown: unknown;
/** Fails in the way that the test sets. */
const breaking: Store = Object.assign(Object.create(memory) as Store, {
  open: memory.open.bind(memory),
  list: memory.list.bind(memory),
  byKeys: (...args: Parameters<Store["byKeys"]>) => {
    if (thrown !== undefined) throw thrown;
    return memory.byKeys(...args);
  },
});
const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  actions: {
    dawdle: { on: "collection", access: allow, run: () => new Promise(() => {}) },
  },
});
const api = defineApi({
  resources: [note],
  store: breaking,
  log: silentLog,
  limits: { query: { timeout: 200 } },
  telemetry: openTelemetry(),
});
const { base, close } = await listen(nodeHttp(api));
afterAll(close);
beforeEach(async () => {
  thrown = undefined;
  await sdk.takeSpans();
});

const own = { "bifocal.operation.timeout": 200 };
const failed = (code: string) => ({ "error.type": code });
/** A failed call has no rows. */
const brokenCall = (type: string, status: "ERROR" | "UNSET") => ({
  ...store("byKeys", "note"),
  attributes: { ...store("byKeys", "note").attributes, "error.type": type },
  status,
});

const faults = [
  ["an error of a database", new TypeError("the value 'secret' is taken"), 500, "INTERNAL", "TypeError", "ERROR"],
  ["an unavailable store", new BifocalError("UNAVAILABLE", "gone"), 503, "UNAVAILABLE", "UNAVAILABLE", "ERROR"],
  ["a value that isn't an Error", "secret", 500, "INTERNAL", "_OTHER", "ERROR"],
  ["an error of the caller", new BifocalError("CONFLICT", "taken"), 409, "CONFLICT", "CONFLICT", "UNSET"],
] as const;

test.each(faults)("%s, over REST", async (_, error, status, code, type, broken) => {
  thrown = error;
  expect((await fetch(`${base}/notes/1`)).status).toBe(status);
  const calls = [operation("get", "note", { ...own, ...failed(code) }, [brokenCall(type, broken)])];
  const fault = status < 500 ? {} : failed(code);
  expect(await sdk.takeTrees()).toEqual([server(base, "GET", "/notes/{id}", ["/notes/1", status], calls, fault)]);
});

test.each(faults)("%s, over GraphQL", async (_, error, _status, code, type, broken) => {
  thrown = error;
  const query = encodeURIComponent("{ note(id: 1) { text } notes { nodes { text } } }");
  expect((await fetch(`${base}/graphql?query=${query}`)).status).toBe(200);
  expect(await sdk.takeTrees()).toEqual([
    server(
      base,
      "GET",
      "/graphql",
      ["/graphql", 200],
      [
        document("query", failed(code), [
          operation("get", "note", { ...own, ...failed(code) }, [brokenCall(type, broken)]),
          operation("list", "note", { ...own, ...rows(1) }, [store("list", "note", 1)]),
        ]),
      ],
    ),
  ]);
});

test("reports an operation that takes too long", async () => {
  expect((await fetch(`${base}/notes/dawdle`, { method: "POST" })).status).toBe(504);
  const [tree] = await sdk.takeTrees();
  expect([tree?.status, tree?.attributes["error.type"]]).toEqual(["ERROR", "TIMEOUT"]);
  expect(tree?.children.map(({ name, status, attributes }) => [name, status, attributes["error.type"]])).toEqual([
    ["act note", "ERROR", "TIMEOUT"],
  ]);
});

test("records no event or message in a span, because database errors contain values", async () => {
  for (const [, error] of faults) {
    thrown = error;
    await fetch(`${base}/notes/1`);
  }
  const spans = await sdk.takeSpans();
  expect(spans.length).toBe(3 * faults.length);
  expect(spans.flatMap(({ events }) => events)).toEqual([]);
  expect(spans.filter(({ status }) => status.message !== undefined)).toEqual([]);
});
