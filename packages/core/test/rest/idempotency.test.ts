import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  defineApi,
  defineResource,
  functionStore,
  hasMany,
  hasRole,
  type IdempotencyStore,
  memoryIdempotency,
  memoryStore,
} from "../../src/index.ts";
import { send } from "../request.ts";
import { AS_ANN, author, book as bookResource, createLibrary, note, tag } from "./library.ts";

const book = { id: 9, title: "New", price: 1 };
const key = (text: string, more = {}): Record<string, string> => ({ "idempotency-key": text, ...more });

async function count(api: ReturnType<typeof createLibrary>): Promise<number> {
  return Number((await send(api, "GET", "/books?count=true")).headers["Total-Count"]);
}

test("replays a repeated request, with the current row", async () => {
  const api = createLibrary();
  const first = await send(api, "POST", "/books", { body: book, headers: key('"k1"') });
  const replay = await send(api, "POST", "/books", { body: book, headers: key('"k1"') });
  expect(replay).toEqual({ ...first, headers: { ...first.headers, "Idempotent-Replayed": "true" } });
  const { ETag } = (await send(api, "PATCH", "/books/9", { body: { price: 5 } })).headers;
  const again = await send(api, "POST", "/books", { body: book, headers: key('"k1"') });
  expect(first).toMatchObject({ status: 201, headers: { Location: "/books/9" } });
  expect(again).toMatchObject({ status: 201, headers: { ...replay.headers, ETag }, body: { price: 5 } });
  // The unquoted form is the same key.
  expect((await send(api, "POST", "/books", { body: book, headers: key("k1") })).headers["Idempotent-Replayed"]).toBe(
    "true",
  );
  const doubled = await send(api, "POST", "/books/9/double", { headers: key("k2") });
  const again2 = await send(api, "POST", "/books/9/double", { headers: key("k2") });
  expect([doubled.body, again2.body]).toEqual([
    expect.objectContaining({ price: 10 }),
    expect.objectContaining({ price: 10 }),
  ]);
  expect((await send(api, "GET", "/books/9")).body).toMatchObject({ price: 10 });
});

test("I09: rejects another request with the same key", async () => {
  const api = createLibrary();
  await send(api, "POST", "/books", { body: book, headers: key("k") });
  for (const [method, url, body] of [
    ["POST", "/books", { ...book, price: 2 }],
    ["POST", "/books?fields=id", book],
    ["POST", "/authors/1/books", book],
    ["POST", "/books/1/double", undefined],
    ["PATCH", "/books/1", { price: 2 }],
  ] as const) {
    expect(await send(api, method, url, { body, headers: key("k") })).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_FAILED" },
    });
  }
});

test("I09: stores keys per caller", async () => {
  const api = createLibrary();
  await send(api, "POST", "/books", { body: book, headers: key("k") });
  const other = await send(api, "POST", "/books", { body: book, headers: key("k", AS_ANN) });
  expect([other.status, other.headers["Idempotent-Replayed"]]).toEqual([409, undefined]);
});

test("I08: runs one of a hundred concurrent requests; the others get a conflict or the replay", async () => {
  const api = createLibrary();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => send(api, "POST", "/books", { body: book, headers: key("k") })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length + statuses.filter((status) => status === 409).length).toBe(
    100,
  );
  expect(
    answers.filter(({ status, headers }) => status === 201 && headers["Idempotent-Replayed"] === undefined),
  ).toHaveLength(1);
  const running = answers.filter(({ status }) => status === 409);
  expect(running.every(({ headers }) => headers["Retry-After"] === "1")).toBe(true);
  expect(await count(api)).toBe(4);
});

test.each([
  "",
  '""',
  "a b",
  'a"b',
  '"a',
  "k1, k2",
  '"k1", "k2"',
  "é",
  "x".repeat(256),
  `"${"x".repeat(256)}"`,
  "a\u0000",
])("rejects %j as a key", async (text) => {
  const api = createLibrary();
  expect((await send(api, "POST", "/books", { body: book, headers: key(text) })).status).toBe(400);
  expect(await count(api)).toBe(3);
});

test("allows a retry with the same key after a failed request", async () => {
  const api = createLibrary();
  expect((await send(api, "POST", "/books", { body: { ...book, authorId: 5 }, headers: key("k") })).status).toBe(422);
  await send(api, "POST", "/authors", { body: { id: 5, name: "Five", email: null } });
  expect((await send(api, "POST", "/books", { body: { ...book, authorId: 5 }, headers: key("k") })).status).toBe(201);
});

test("I11: expires keys", async () => {
  const api = createLibrary({ idempotency: { ttl: 0.05 } });
  await send(api, "POST", "/books", { body: book, headers: key("k") });
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect((await send(api, "POST", "/books", { body: { ...book, id: 10 }, headers: key("k") })).status).toBe(201);
});

/** A store that loses each result, like a process that is killed between the commit and the response. */
function forgetful(): IdempotencyStore {
  const store = memoryIdempotency();
  return { ...store, complete: (token) => store.release(token) };
}

test("runs nothing twice if the result is lost after the write", async () => {
  const api = createLibrary({ idempotency: { store: forgetful() } });
  const one = await send(api, "POST", "/books", { body: book, headers: key("k1") });
  const two = await send(api, "POST", "/books", { body: book, headers: key("k1") });
  expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
  const many = [
    { ...book, id: 20 },
    { ...book, id: 21 },
  ];
  for (let tries = 0; tries < 2; tries++) {
    expect((await send(api, "POST", "/books", { body: many, headers: key("k2") })).body).toMatchObject([
      { id: 20 },
      { id: 21 },
    ]);
    expect((await send(api, "POST", "/books/9/double", { headers: key("k3") })).body).toMatchObject({ price: 2 });
    expect((await send(api, "POST", "/books/count", { headers: key("k4", AS_ANN) })).body).toBe(6);
  }
  expect((await send(api, "POST", "/books", { body: { ...book, id: 30 }, headers: key("k1") })).status).toBe(422);
  expect(await count(api)).toBe(6);
});

test("I11: refuses a replay to a caller who has lost the right", async () => {
  let isEditor = true;
  const api = createLibrary({
    auth: { challenge: "Bearer", schemes: {}, authenticate: () => ({ id: "ann", roles: isEditor ? ["editor"] : [] }) },
  });
  expect((await send(api, "POST", "/books/count", { headers: key("k") })).status).toBe(200);
  isEditor = false;
  expect((await send(api, "POST", "/books/count", { headers: key("k") })).status).toBe(403);
});

test("passes an abandoned claim to the next request", async () => {
  const store = memoryIdempotency();
  const claim = { token: "t", fingerprint: "f", expires: Date.now() + 10_000 };
  expect(await store.claim({ ...claim, lease: Date.now() + 10_000 })).toEqual({ kind: "new" });
  expect(await store.claim({ ...claim, lease: Date.now() + 10_000 })).toEqual({ kind: "running", fingerprint: "f" });
  const other = memoryIdempotency({ max: 2 });
  expect(await other.claim({ ...claim, lease: Date.now() - 1 })).toEqual({ kind: "new" });
  expect(await other.claim({ ...claim, lease: Date.now() - 1 })).toEqual({ kind: "new" });
});

test("keeps the newest responses, up to a number of bytes", async () => {
  const store = memoryIdempotency({ bytes: 1_000 });
  const claim = (token: string, lease = 10_000) =>
    store.claim({ token, fingerprint: "f", lease: Date.now() + lease, expires: Date.now() + 10_000 });
  const finish = (token: string, length: number) => store.complete(token, { receipt: "x".repeat(length) });
  for (const token of ["running", "a", "b", "c"]) expect(await claim(token)).toEqual({ kind: "new" });
  for (const token of ["a", "b", "c"]) await finish(token, 400);
  expect(await claim("running")).toMatchObject({ kind: "running" });
  expect([await claim("b"), await claim("c")]).toMatchObject([{ kind: "done" }, { kind: "done" }]);
  expect(await claim("a")).toEqual({ kind: "new" });
  // A released claim frees its space.
  await store.release("b");
  await finish("a", 400);
  expect([await claim("c"), await claim("a")]).toMatchObject([{ kind: "done" }, { kind: "done" }]);
});

test("creates a row along a relation once, even if it is in another store", async () => {
  const shelf = defineResource("shelf", {
    fields: { id: z.int32() },
    relations: { items: hasMany("item", "shelfId") },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  const item = defineResource("item", {
    fields: { id: z.int32(), shelfId: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  const rows: object[] = [];
  const create = (row: object): object => {
    rows.push(row);
    return row;
  };
  const api = defineApi({
    resources: [shelf, item],
    store: memoryStore({ data: { shelf: [{ id: 1 }] } }),
    stores: { item: functionStore({ item: { list: () => rows, create } }) },
  });
  const make = () => send(api, "POST", "/shelfs/1/items", { body: { id: 9 }, headers: key("k") });
  expect([(await make()).status, (await make()).status, rows.length]).toEqual([201, 201, 1]);
});

test("replays a create along a relation after its parent was deleted, if the rules permit it", async () => {
  let isEditor = true;
  const api = createLibrary({
    auth: { challenge: "Bearer", schemes: {}, authenticate: () => ({ id: "ann", roles: isEditor ? ["editor"] : [] }) },
    resources: [
      author,
      {
        ...bookResource,
        config: { ...bookResource.config, access: { ...bookResource.config.access, create: hasRole("editor") } },
      },
      tag,
      note,
    ],
  });
  const one = { id: 9, title: "New", price: 1 };
  const create = (headers = {}, body: unknown = one) => send(api, "POST", "/authors/1/books", { body, headers });
  const first = await create(key("k1"));
  const many = await create(key("k2"), [{ ...one, id: 10 }]);
  expect([first.status, many.status]).toEqual([201, 201]);
  await send(api, "DELETE", "/authors/1");
  expect(await create(key("k1"))).toMatchObject({
    status: 201,
    headers: { Location: first.headers["Location"], "Idempotent-Replayed": "true" },
    body: { id: 9, authorId: null },
  });
  expect((await create(key("k2"), [{ ...one, id: 10 }])).headers["Idempotent-Replayed"]).toBe("true");
  for (const other of [{}, key("k3")]) expect((await create(other)).status).toBe(404);
  isEditor = false;
  expect((await create(key("k1"))).status).toBe(403);
});

test("doesn't restore a link that was removed since", async () => {
  const api = createLibrary();
  const type = "application/vnd.api+json";
  const link = () =>
    send(api, "POST", "/books/1/relationships/tags", {
      body: { data: [{ type: "tags", id: "old" }] },
      headers: key("k", { accept: type, "content-type": type }),
    });
  expect((await link()).status).toBe(204);
  await send(api, "DELETE", "/books/1/tags/old");
  expect((await link()).headers["Idempotent-Replayed"]).toBe("true");
  expect((await send(api, "GET", "/books/1/tags")).body).toEqual([]);
});
