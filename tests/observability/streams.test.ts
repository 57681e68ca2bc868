import { allow, defineApi, defineResource, memoryStore, silentLog, type Store } from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { operation, rows, server, store } from "./expected.ts";
import { listen } from "./listen.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();
// More data than a connection buffers.
const LONG = "x".repeat(20_000);
const data = { note: Array.from({ length: 1_200 }, (_, id) => ({ id, text: LONG })) };
const memory = memoryStore({ data });
let breaksAt = Number.POSITIVE_INFINITY;
let lists = 0;
const breaking: Store = Object.assign(Object.create(memory) as Store, {
  open: memory.open.bind(memory),
  list: (...args: Parameters<Store["list"]>) => {
    lists++;
    if (lists >= breaksAt) throw new TypeError("cut");
    return memory.list(...args);
  },
});
const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note], store: breaking, log: silentLog, telemetry: openTelemetry() });
const { base, close } = await listen(nodeHttp(api));
afterAll(close);
beforeEach(async () => {
  lists = 0;
  breaksAt = Number.POSITIVE_INFINITY;
  await sdk.takeSpans();
});

const exported = (stop?: AbortSignal) =>
  fetch(`${base}/notes`, { headers: { accept: "application/x-ndjson" }, ...(stop ? { signal: stop } : {}) });
const piece = (count: number) => operation("list", "note", rows(count), [store("list", "note", count)]);
const active = async () =>
  (await sdk.measured("http.server.active_requests")).reduce((sum, { value }) => sum + value, 0);

test("runs every piece of an export within the span of its request, which ends with the last row", async () => {
  const text = await (await exported()).text();
  expect(text.trimEnd().split("\n")).toHaveLength(1_200);
  // With rows of this size, a batch has 50.
  const pieces = Array.from({ length: 24 }, () => piece(50));
  expect(await sdk.takeTrees()).toEqual([server(base, "GET", "/notes", ["/notes", 200], pieces)]);
  expect(await active()).toBe(0);
});

test("records a broken export as a server error, although its status was 200", async () => {
  breaksAt = 2;
  await expect(exported().then((response) => response.text())).rejects.toThrow("terminated");
  const [tree, ...others] = await sdk.takeTrees();
  expect(others).toEqual([]);
  expect([tree?.status, tree?.attributes["http.response.status_code"], tree?.attributes["error.type"]]).toEqual([
    "ERROR",
    200,
    "INTERNAL",
  ]);
  const measured = await sdk.measured("http.server.request.duration");
  expect(
    measured.filter(({ attributes }) => attributes["error.type"] === "INTERNAL").map(({ value }) => value),
  ).toEqual([1]);
});

test("ends the span when the client disconnects", async () => {
  const stop = new AbortController();
  const response = await exported(stop.signal);
  expect(await active()).toBe(1);
  await response.body?.getReader().read();
  stop.abort();
  await vi.waitFor(async () => expect(await active()).toBe(0));
  const trees = await sdk.takeTrees();
  expect(trees.map(({ name, status }) => [name, status])).toEqual([["GET /notes", "UNSET"]]);
});
