import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore, silentLog } from "../../src/index.ts";
import type { Json } from "../../src/util/json.ts";
import { request, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const box = defineResource("box", { plural: "boxes", fields: { id: z.int32(), meta: z.json() }, access });
const HEADERS = { "content-type": "application/json-patch+json" };

/** An API with one box. `patch` sends a JSON Patch and returns the response. */
function open(meta: Json, limits = {}) {
  const store = memoryStore({ data: { box: [{ id: 1, meta }] } });
  const api = defineApi({ resources: [box], store, limits, log: silentLog });
  return {
    patch: (body: unknown, headers: Readonly<Record<string, string>> = HEADERS) =>
      send(api, "PATCH", "/boxes/1", { body, headers }),
    meta: async () => ((await send(api, "GET", "/boxes/1")).body as { meta: Json }).meta,
  };
}

const times = (count: number, step: (n: number) => object) => Array.from({ length: count }, (_, n) => step(n));
const nest = (levels: number): Json => (levels === 0 ? 1 : { x: nest(levels - 1) });

test("rejects a thousand steps in a long list quickly, without changes", async () => {
  const list = Array.from({ length: 500_000 }, (_, n) => n);
  const { patch, meta } = open(list);
  const before = performance.now();
  const answer = await patch(times(1_000, () => ({ op: "move", from: "/meta/0", path: "/meta/-" })));
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: "too_costly" }] } });
  expect(performance.now() - before).toBeLessThan(5_000);
  expect(await meta()).toEqual(list);
});

test("applies a thousand steps to a list of a thousand", async () => {
  const { patch, meta } = open(Array.from({ length: 1_000 }, (_, n) => n));
  const answer = await patch(times(1_000, () => ({ op: "move", from: "/meta/0", path: "/meta/-" })));
  expect(answer.status).toBe(200);
  expect(((await meta()) as number[]).slice(0, 3)).toEqual([0, 1, 2]);
});

test.each([
  ["adds", times(40, (n) => ({ op: "add", path: `/meta${"/x".repeat(n + 1)}`, value: {} }))],
  [
    "a deep value",
    [
      { op: "add", path: "/meta/x", value: nest(28) },
      { op: "add", path: "/meta/x/x/x/x/x", value: nest(28) },
    ],
  ],
  ["copies into itself", times(40, () => ({ op: "copy", from: "/meta", path: "/meta/x" }))],
  [
    "moves",
    [
      { op: "add", path: "/meta/a", value: nest(20) },
      { op: "add", path: "/meta/b", value: nest(20) },
      { op: "move", from: "/meta/a", path: `/meta/b${"/x".repeat(20)}` },
    ],
  ],
])("never makes a row deeper than a body can be: %s", async (_what, steps) => {
  const { patch, meta } = open({});
  expect(await patch(steps)).toMatchObject({ status: 400, body: { errors: [{ code: "too_deep" }] } });
  expect(await meta()).toEqual({});
});

test("never makes a field larger than a body can be, over several patches", async () => {
  const { patch, meta } = open({ a: "x".repeat(400) }, { http: { bodyBytes: 1_000 } });
  const copy = (to: string) => patch([{ op: "copy", from: "/meta/a", path: `/meta/${to}` }]);
  expect((await copy("b")).status).toBe(200);
  expect(await copy("c")).toMatchObject({ status: 422, body: { errors: [{ code: "too_large" }] } });
  expect(Object.keys((await meta()) as object)).toEqual(["a", "b"]);
  const merge = { "content-type": "application/merge-patch+json" };
  expect((await patch({ meta: { d: "x".repeat(400) } }, merge)).status).toBe(422);
});

test("never gives an object more members than a body can have, over several patches", async () => {
  const { patch } = open({ a: 1, b: 2 }, { http: { jsonKeys: 3 } });
  const add = (name: string) => patch([{ op: "add", path: `/meta/${name}`, value: 1 }]);
  expect((await add("c")).status).toBe(200);
  expect(await add("d")).toMatchObject({ status: 422, body: { errors: [{ code: "too_many" }] } });
});

test("accepts a patch of a row with a large field that it doesn't change", async () => {
  const { patch } = open({ a: "x".repeat(4_000) }, { http: { bodyBytes: 1_000 } });
  expect((await patch([{ op: "test", path: "/id", value: 1 }])).status).toBe(200);
});

test.each([
  ["a field with that name", "/__proto__", "unrecognized_key"],
  ["within JSON", "/meta/__proto__", "not_permitted"],
])("B04: rejects a step to `__proto__`: %s", async (_what, path, code) => {
  const { patch, meta } = open({});
  const answer = await patch([{ op: "add", path, value: { a: 1 } }]);
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ code }] } });
  expect(await meta()).toEqual({});
});

test("B04: rejects it also in a body that the host has parsed", async () => {
  const api = defineApi({ resources: [box], store: memoryStore(), log: silentLog });
  for (const text of ['{ "id": 2, "meta": { "__proto__": 1 } }', '{ "id": 2, "meta": 1, "__proto__": {} }']) {
    const parsed = { ...request("POST", "/boxes", { text }), parsedBody: JSON.parse(text) as unknown };
    expect((await api.handle(parsed))?.status).toBe(400);
  }
});
