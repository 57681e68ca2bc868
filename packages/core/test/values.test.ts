import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore, silentLog } from "../src/index.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const clock = defineResource("clock", {
  fields: { id: z.int32() },
  access,
  actions: {
    now: {
      on: "collection",
      output: z.object({ date: z.date(), count: z.bigint() }),
      access: allow,
      run: () => ({ date: new Date(0), count: 5n }),
    },
    never: { on: "collection", output: z.date().nullable(), access: allow, run: () => null },
    nothing: { on: "collection", output: z.string().optional(), access: allow, run: () => undefined },
  },
});

test("returns an action's result as a value in process, and as JSON on the wire", async () => {
  const api = defineApi({ resources: [clock], store: memoryStore(), log: silentLog });
  const { actions } = api.local.clock;
  expect(await actions.now()).toEqual({ date: new Date(0), count: 5n });
  expect([await actions.never(), await actions.nothing()]).toEqual([null, undefined]);
  const onWire = { date: "1970-01-01T00:00:00.000Z", count: "5" };
  for (const [name, expected] of [
    ["now", onWire],
    ["never", null],
    ["nothing", null],
  ] as const) {
    expect(await send(api, "POST", `/clocks/${name}`)).toMatchObject({ status: 200, body: expected });
  }
  expect(await ask(api, "mutation { nowClocks { date count } neverClocks nothingClocks }")).toEqual({
    data: { nowClocks: onWire, neverClocks: null, nothingClocks: null },
  });
});

test("keeps a field that a hook or an action leaves undefined, and clears one with null", async () => {
  const day = defineResource("day", {
    fields: { id: z.int32(), date: z.date().nullable(), text: z.string().nullable(), other: z.date() },
    access,
    hooks: {
      // As untyped JavaScript could return it.
      update: { before: ({ input: { date, text } }) => ({ date, text, other: undefined }) as never },
    },
    actions: {
      empty: { on: "item", access: allow, run: ({ item, store }) => store.update(item.id, { date: null }) },
      keep: {
        on: "item",
        access: allow,
        run: ({ item, store }) => store.update(item.id, { date: undefined as never }),
      },
    },
  });
  const date = "2026-01-31T12:00:00.000Z";
  const row = { id: 1, date, text: "a", other: date };
  const api = defineApi({ resources: [day], store: memoryStore({ data: { day: [row] } }), log: silentLog });
  expect((await send(api, "PATCH", "/days/1", { body: { text: "b" } })).body).toEqual({ ...row, text: "b" });
  expect((await send(api, "POST", "/days/1/keep")).body).toEqual({ ...row, text: "b" });
  expect((await send(api, "POST", "/days/1/empty")).body).toEqual({ ...row, text: "b", date: null });
});

test("accepts a number as a reference to an integer key, in both styles", async () => {
  const author = defineResource("author", { fields: { id: z.int() }, access });
  const book = defineResource("book", {
    fields: { id: z.int(), authorId: z.number() },
    relations: { author: belongsTo("author", "authorId") },
    access,
  });
  const store = memoryStore({ data: { author: [{ id: 1 }] } });
  const api = defineApi({ resources: [author, book], store, log: silentLog });
  expect((await send(api, "POST", "/books", { body: { id: 1, authorId: 1 } })).status).toBe(201);
  expect(await ask(api, "mutation { createBook(input: { id: 2, authorId: 1 }) { author { id } } }")).toEqual({
    data: { createBook: { author: { id: "1" } } },
  });
});

test("reports a codec error as a validation error, in both styles", async () => {
  const coin = defineResource("coin", {
    fields: {
      id: z.int32(),
      cents: z.codec(z.string(), z.bigint(), { decode: (text) => BigInt(text), encode: String }),
    },
    access,
  });
  const api = defineApi({ resources: [coin], store: memoryStore(), log: silentLog });
  const issue = { path: ["cents"], message: "'cents' has an invalid value.", code: "invalid_value" };
  expect(await send(api, "POST", "/coins", { body: { id: 1, cents: "abc" } })).toMatchObject({
    status: 422,
    body: { errors: [issue] },
  });
  expect(await ask(api, 'mutation { createCoin(input: { id: 1, cents: "abc" }) { id } }')).toMatchObject({
    errors: [{ extensions: { code: "VALIDATION_FAILED", errors: [{ code: "invalid_value" }] } }],
  });
  expect((await send(api, "POST", "/coins", { body: { id: 1, cents: "12" } })).status).toBe(201);
});
