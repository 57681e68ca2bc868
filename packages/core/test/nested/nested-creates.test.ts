import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasOne,
  hasRole,
  memoryStore,
  sequence,
} from "../../src/index.ts";
import { explainAccess } from "../../src/explain/explain.ts";
import { ask, send } from "../request.ts";
import { AS_EDITOR, AS_READER, createShelf, EDITOR, READER } from "./shelf.ts";

const DEEP =
  "/works?fields=title,year,writer.name,writer.profile.text,house.name,opinions.stars,opinions.by&sort=title";
const WRITERS = "/writers?fields=id,name,profile.text,works.title,works.year,works.opinions.stars&page[size]=2";

describe("a create with nested rows", () => {
  test("creates all rows, by REST", async () => {
    const api = createShelf();
    const body = {
      name: "Ann",
      profile: { text: "writes" },
      works: [{ title: "A", year: 1999, opinions: [{ stars: 5 }, { stars: 1 }] }, { title: "B" }],
    };
    const made = await send(api, "POST", "/writers?fields=id,name,works.title", { headers: AS_READER, body });
    expect(made.body).toEqual({ id: 1, name: "Ann", works: [{ title: "A" }, { title: "B" }] });
    expect(made).toMatchObject({ status: 201, headers: { Location: "/writers/1" } });
    expect((await send(api, "GET", WRITERS)).body).toEqual([
      {
        id: 1,
        name: "Ann",
        profile: { text: "writes" },
        works: [
          { title: "A", year: 1999, opinions: [{ stars: 5 }, { stars: 1 }] },
          { title: "B", year: 2000, opinions: [] },
        ],
      },
    ]);
  });

  test("creates referenced rows first", async () => {
    const api = createShelf();
    const body = {
      title: "A",
      writer: { name: "Ann", profile: { text: "writes" } },
      house: { name: "H" },
      opinions: [{ stars: 3 }],
    };
    expect((await send(api, "POST", "/works", { headers: AS_EDITOR, body })).status).toBe(201);
    expect((await send(api, "GET", DEEP)).body).toEqual([
      {
        title: "A",
        year: 2000,
        writer: { name: "Ann", profile: { text: "writes" } },
        house: { name: "H" },
        opinions: [{ stars: 3, by: "somebody" }],
      },
    ]);
  });

  test("works the same by GraphQL, in the document or as a variable", async () => {
    const api = createShelf();
    const query = `mutation ($input: CreateWriterInput!) {
      createWriter(input: $input) { id works { nodes { title opinions { nodes { stars } } } } }
      createWork(input: { title: "C", writer: { name: "Bob" }, houseId: null, house: null, opinions: [] }) { writer { name } }
    }`;
    const input = { name: "Ann", works: [{ title: "A", opinions: [{ stars: 4 }] }, { title: "B" }] };
    expect(await ask(api, query, { headers: AS_EDITOR, body: { input } })).toEqual({
      data: {
        createWriter: {
          id: "1",
          works: {
            nodes: [
              { title: "A", opinions: { nodes: [{ stars: 4 }] } },
              { title: "B", opinions: { nodes: [] } },
            ],
          },
        },
        createWork: { writer: { name: "Bob" } },
      },
    });
  });

  test("works the same in process, and sends an event for each row", async () => {
    const api = createShelf();
    const watching = [api.local.writer.watch(), api.local.work.watch(), api.local.house.watch()] as const;
    const told = Promise.all(watching.map(async (changes) => (await changes.next()).value?.kind));
    const made = await api
      .as(EDITOR)
      .work.create(
        { title: "A", houseId: null, writer: { name: "Ann", works: [{ title: "B", house: { name: "H" } }] } },
        { select: { title: true, writer: { select: { name: true, works: { select: { title: true } } } } } },
      );
    expect(made).toEqual({ title: "A", writer: { name: "Ann", works: [{ title: "B" }, { title: "A" }] } });
    expect(await told).toEqual(["created", "created", "created"]);
    for (const changes of watching) await changes.return?.();
  });

  test("works in a list and within another row", async () => {
    const api = createShelf();
    const writer = await api.as(READER).writer.create({ name: "Ann" });
    const body = [{ title: "A", opinions: [{ stars: 1 }] }, { title: "B" }];
    const inside = await send(api, "POST", `/writers/${writer.id}/works`, { headers: AS_READER, body });
    expect([inside.status, inside.body]).toMatchObject([201, [{ title: "A" }, { title: "B" }]]);
    const listed = [{ title: "C", writer: { name: "Bob" } }];
    expect((await send(api, "POST", "/works", { headers: AS_READER, body: listed })).status).toBe(201);
    expect((await send(api, "GET", "/works?fields=title,writer.name,opinions.stars&sort=title")).body).toMatchObject([
      { title: "A", writer: { name: "Ann" }, opinions: [{ stars: 1 }] },
      { title: "B", writer: { name: "Ann" } },
      { title: "C", writer: { name: "Bob" } },
    ]);
  });

  test("accepts null or absence for no row", async () => {
    const api = createShelf();
    const local = api.as(READER);
    const { id } = await local.writer.create({ name: "Ann", works: undefined, profile: undefined } as never);
    const headers = AS_READER;
    for (const body of [
      { name: "Bob", works: null },
      { name: "Cid", profile: null, works: [] },
    ]) {
      expect((await send(api, "POST", "/writers", { headers, body })).status).toBe(201);
    }
    await local.work.create({ title: "A", writerId: id, houseId: null, writer: undefined });
    await local.work.createMany([{ title: "B", writerId: id, houseId: null, writer: undefined }]);
    const query = `mutation { createWork(input: { title: "C", writerId: "${id}", writer: null, opinions: null }) { title } }`;
    expect(await ask(api, query, { headers })).toEqual({ data: { createWork: { title: "C" } } });
  });

  test("returns the row as it is after all rows are created", async () => {
    const order = defineResource("order", {
      fields: { id: z.int32(), total: z.int32().default(0), version: z.int() },
      version: "version",
      relations: { lines: hasMany("line", "orderId", { creates: 9 }) },
      access: OPEN,
    });
    const line = defineResource("line", {
      fields: { id: z.int32(), price: z.int32(), orderId: z.int32() },
      access: OPEN,
      hooks: {
        create: {
          after: async ({ item, stores }) => {
            const orders = stores("order");
            const total = Number((await orders.get(item.orderId))?.["total"]) + item.price;
            await orders.update(item.orderId, { total });
          },
        },
      },
    });
    const api = defineApi({ resources: [order, line], store: memoryStore() });
    const lines = [5, 7].map((price, id) => ({ id, price }));
    const made = await send(api, "POST", "/orders", { body: { id: 1, lines } });
    expect(made.body).toEqual({ id: 1, total: 12, version: 3 });
    const headers = { "if-match": String(made.headers["ETag"]) };
    expect((await send(api, "PATCH", "/orders/1", { headers, body: { total: 0 } })).status).toBe(200);
  });

  test("can reference a key that has another type in code", async () => {
    const when = z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    });
    const day = defineResource("day", {
      fields: { id: when, name: z.string() },
      relations: { tasks: hasMany("task", "dayId", { creates: 2 }) },
      access: OPEN,
    });
    const task = defineResource("task", {
      fields: { id: z.int32(), dayId: when },
      relations: { day: belongsTo("day", "dayId", { creates: 1 }) },
      access: OPEN,
    });
    const { local } = defineApi({ resources: [day, task], store: memoryStore() });
    const [first, second] = ["2026-01-31T11:00:00.000Z", "2026-02-01T11:00:00.000Z"] as const;
    await local.day.create({ id: first, name: "a", tasks: [{ id: 1 }] });
    await local.task.create({ id: 2, day: { id: second, name: "b" } });
    expect((await local.task.list()).items.map(({ dayId }) => dayId)).toEqual([new Date(first), new Date(second)]);
  });

  test("runs once for one idempotency key", async () => {
    const api = createShelf();
    const body = { name: "Ann", works: [{ title: "A" }] };
    const headers = { ...AS_READER, "idempotency-key": '"k"' };
    const [first, second] = [
      await send(api, "POST", "/writers", { headers, body }),
      await send(api, "POST", "/writers", { headers, body }),
    ];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect((await send(api, "GET", "/works?count=true")).headers["Total-Count"]).toBe("1");
  });
});

const OPEN = { read: allow, create: allow, update: allow, delete: allow };

const NONE = [
  ["writers", 0],
  ["works", 0],
  ["houses", 0],
  ["opinions", 0],
] as const;

describe("all rows or none", () => {
  test.each<[string, string, object, number, object[]]>([
    [
      "all errors are reported at once, with their paths",
      "/writers",
      {
        name: "",
        works: [
          { title: "A", year: "x" },
          { title: "", opinions: [{ stars: 9 }] },
        ],
        profile: {},
      },
      422,
      [
        { path: ["name"] },
        { path: ["works", 0, "year"], code: "invalid_type" },
        { path: ["works", 1, "title"] },
        { path: ["profile", "text"], code: "required" },
      ],
    ],
    [
      "existing unique values",
      "/writers",
      { name: "Ann", works: [{ title: "A" }, { title: "A" }] },
      409,
      [{ path: ["works", 1, "title"], code: "not_unique" }],
    ],
    ["no list", "/writers", { name: "Ann", works: { title: "A" } }, 422, [{ path: ["works"], code: "invalid_type" }]],
    ["a list for a single row", "/works", { title: "A", writer: [{ name: "Ann" }] }, 422, [{ path: ["writer"] }]],
    [
      "more rows than the limit",
      "/writers",
      { name: "Ann", works: ["A", "B", "C", "D"].map((title) => ({ title })) },
      422,
      [{ path: ["works"], code: "too_big" }],
    ],
    [
      "a field that the nesting sets",
      "/writers",
      { name: "Ann", works: [{ title: "A", writerId: 7 }] },
      422,
      [{ path: ["works", 0, "writerId"], code: "contradiction" }],
    ],
    [
      "a field that the nesting sets, with an invalid value",
      "/works",
      { title: "A", writer: { name: "Ann" }, opinions: [{ stars: 1, workId: 2_000 }] },
      422,
      [{ path: ["opinions", 0, "workId"], code: "contradiction" }],
    ],
    [
      "too many rows, hidden by a rule at first",
      "/works",
      { title: "A", writer: { name: "Ann" }, opinions: [{ stars: 1, replies: [{ text: "1" }, { text: "2" }] }] },
      422,
      [{ path: ["opinions", 0, "replies"], code: "too_big" }],
    ],
    [
      "validation errors of rows that cannot be created are hidden",
      "/works",
      { title: "A", writer: { name: "Ann" }, house: { name: 5 } },
      403,
      [{ path: ["house"], code: "FORBIDDEN" }],
    ],
    [
      "the parent row",
      "/writers",
      { name: "Ann", works: [{ title: "A", writer: { name: "Bob" } }] },
      422,
      [{ path: ["works", 0, "writer"], code: "contradiction" }],
    ],
    [
      "both a key and a row",
      "/works",
      { title: "A", writerId: 1, writer: { name: "Ann" } },
      422,
      [{ path: ["writer"], code: "contradiction" }],
    ],
    ["without either of them", "/works", { title: "A", opinions: [] }, 422, [{ path: ["writerId"], code: "required" }]],
    [
      "an unknown name at depth",
      "/writers",
      { name: "Ann", works: [{ title: "A", opinons: [] }] },
      422,
      [{ path: ["works", 0, "opinons"], code: "unrecognized_key" }],
    ],
    [
      "rows that the caller cannot create",
      "/works",
      { title: "A", writer: { name: "Ann" }, house: { name: "H" } },
      403,
      [{ path: ["house"], code: "FORBIDDEN" }],
    ],
  ])("%s", async (_what, path, body, status, errors) => {
    const api = createShelf();
    const answer = await send(api, "POST", path, { headers: AS_READER, body });
    expect(answer).toMatchObject({ status, body: { errors } });
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(errors.length);
    const counted = NONE.map(async ([name]) => [name, ((await send(api, "GET", `/${name}`)).body as unknown[]).length]);
    expect(await Promise.all(counted)).toEqual(NONE);
  });

  test("applies a field's rule at any depth", async () => {
    const api = createShelf();
    const body = { title: "A", writer: { name: "Ann" }, house: { name: "H", note: "x" } };
    expect(await send(api, "POST", "/works", { headers: AS_EDITOR, body })).toMatchObject({
      status: 403,
      body: { errors: [{ path: ["house", "note"], code: "not_writable" }] },
    });
  });

  test("reveals no validation errors to a caller who cannot create", async () => {
    const api = createShelf();
    for (const works of [[{ title: "" }], {}, ["a", "b", "c", "d"], [{ writerId: 3 }]]) {
      const answer = await send(api, "POST", "/writers", { body: { name: "", works } });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toHaveProperty("errors");
    }
  });

  test("is available only in a create", async () => {
    const api = createShelf();
    const { id } = await api.as(READER).writer.create({ name: "Ann" });
    const changes = { works: [{ title: "A" }] };
    for (const [method, body] of [
      ["PATCH", changes],
      ["PUT", { name: "x", ...changes }],
    ] as const) {
      const answer = await send(api, method, `/writers/${id}`, { headers: AS_READER, body });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: ["works"], code: "not_writable" }] } });
    }
    const query = `mutation { updateWriter(id: "${id}", input: { works: [{ title: "A" }] }) { id } }`;
    expect((await ask(api, query, { headers: AS_READER })).errors?.[0]?.message).toMatch(/works/);
  });

  test("costs as much as it writes", async () => {
    const api = createShelf({ limits: { query: { cost: 13 } } });
    const body = (count: number): object => ({
      name: "Ann",
      works: "ABC"
        .slice(0, count)
        .split("")
        .map((title) => ({ title })),
    });
    expect((await send(api, "POST", "/writers", { headers: AS_READER, body: body(2) })).status).toBe(201);
    expect(await send(api, "POST", "/writers", { headers: AS_READER, body: body(3) })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "too_costly" }] },
    });
  });

  test("is rejected before copying, if it uses a variable many times", async () => {
    const folder = defineResource("folder", {
      fields: { id: z.int32(), name: z.string().default("x"), parentId: z.int32().nullish() },
      generated: { id: sequence() },
      relations: { children: hasMany("folder", "parentId", { creates: 10 }) },
      access: { read: allow, create: hasRole("keeper"), update: deny, delete: deny },
    });
    const api = defineApi({ resources: [folder], store: memoryStore() });
    const query = `mutation ($v: [CreateFolderChildrenInput!]) {
      createFolder(input: { children: [${"{ children: $v }".repeat(250)}] }) { id }
    }`;
    const used = process.cpuUsage();
    const answer = await ask(api, query, { body: { v: Array.from({ length: 19_000 }, () => ({})) } });
    expect(answer.errors).toMatchObject([{ extensions: { errors: [{ code: "too_costly" }] } }]);
    // Copying the input each time took ten seconds.
    expect(process.cpuUsage(used).user).toBeLessThan(2_000_000);
    const endless: Record<string, unknown> = {};
    endless["children"] = [endless, endless];
    await expect(api.as(asSystem("a test")).folder.create(endless)).rejects.toThrow(/cost/);
    endless["children"] = [endless];
    await expect(api.as(asSystem("a test")).folder.create(endless)).rejects.toThrow(/levels|costs/);
  });

  test("can't be deeper than a selection", async () => {
    const api = createShelf({ limits: { query: { selectionDepth: 1 } } });
    const body = { name: "Ann", works: [{ title: "A", opinions: [{ stars: 1 }] }] };
    expect(await send(api, "POST", "/writers", { headers: AS_READER, body })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ["works", 0, "opinions"], code: "too_deep" }] },
    });
  });
});

test("is explained with its nested rows", async () => {
  const input = { title: "A", writer: { name: "Ann" }, house: { name: "H" } };
  const { decisions } = await explainAccess(createShelf(), READER, { kind: "create", resource: "work", input });
  const said = decisions.filter(({ right }) => right === "create").map(({ subject, answer }) => [subject, answer]);
  expect(said).toEqual([
    ["work", "yes"],
    ["writer", "yes"],
    ["house", "no"],
  ]);
});

test("reports a conflict of a nested row's key at that row", async () => {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const customer = defineResource("customer", {
    fields: { id: z.int32(), name: z.string() },
    generated: { id: sequence() },
    relations: { card: hasOne("card", "customerId", { creates: 1 }) },
    access,
  });
  const card = defineResource("card", {
    fields: { id: z.int32(), digits: z.string(), customerId: z.int32() },
    generated: { id: sequence() },
    relations: { customer: belongsTo("customer", "customerId", { creates: 1 }) },
    unique: ["customerId"],
    access,
  });
  const holder = defineResource("holder", {
    fields: { id: z.int32(), cardId: z.int32() },
    generated: { id: sequence() },
    relations: { card: belongsTo("card", "cardId", { creates: 1 }) },
    access,
  });
  const api = defineApi({ resources: [customer, card, holder] });
  const body = { digits: "1", customer: { name: "Ann", card: { digits: "2" } } };
  const errors = [{ path: ["customer"], message: "This value is already in use.", code: "not_unique" }];
  expect(await send(api, "POST", "/cards", { body })).toMatchObject({ status: 409, body: { errors } });
  const inner = [{ ...errors[0], path: ["card", "customer"] }];
  expect(await send(api, "POST", "/holders", { body: { card: body } })).toMatchObject({
    status: 409,
    body: { errors: inner },
  });
  const query =
    'mutation { createCard(input: { digits: "1", customer: { name: "Ann", card: { digits: "2" } } }) { id } }';
  expect(await ask(api, query)).toMatchObject({ errors: [{ extensions: { code: "CONFLICT", errors } }] });
});
