import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  allow,
  BifocalError,
  defineApi,
  defineResource,
  hasMany,
  belongsTo,
  manyToMany,
  memoryStore,
} from "../../src/index.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

function create() {
  const calls: string[] = [];
  let failing: string | undefined;
  const note = (what: string): void => {
    calls.push(what);
    if (what === failing) throw new BifocalError("CONFLICT", `No ${what}.`);
  };
  const log = defineResource("log", { fields: { id: z.int32(), text: z.string() }, access });
  const page = defineResource("page", {
    fields: {
      id: z.int32(),
      title: z.string(),
      slug: z.string().nullable(),
      at: z.date().nullable(),
      secret: z.string().nullable(),
    },
    internal: ["secret"],
    relations: { parts: hasMany("part", "pageId"), labels: manyToMany("label") },
    access,
    bulk: { create: 9, update: 9, delete: 9 },
    filterable: ["title"],
    actions: { touch: { on: "item", access: allow, input: z.object({ by: z.string() }), run: () => null } },
    hooks: {
      get: { before: () => note("get before"), after: ({ item }) => note(`get after ${item.title}`) },
      list: { before: () => note("list before"), after: ({ items }) => note(`list after ${items.length}`) },
      create: {
        before: ({ input, principal, operation }) => {
          expectTypeOf(input.title).toEqualTypeOf<string | undefined>();
          expectTypeOf(input.at).toEqualTypeOf<Date | null | undefined>();
          note(`create before ${operation.kind} ${principal?.id ?? "nobody"}`);
          return { ...input, slug: input.title?.toLowerCase() ?? null, secret: "made by a hook" };
        },
        after: async ({ item, stores }) => {
          expectTypeOf(item.at).toEqualTypeOf<Date | null>();
          await stores("log").create({ id: item.id, text: `created ${item.slug} ${item.secret}` });
          note("create after");
        },
      },
      update: {
        before: ({ item, input }) => {
          note(`update before ${item.title} ${Object.keys(input).join()}`);
          return input.title === undefined ? undefined : { ...input, slug: input.title.toLowerCase() };
        },
        after: ({ previous, item }) => note(`update after ${previous.title} ${item.title}`),
      },
      delete: { before: ({ item }) => note(`delete before ${item.title}`), after: () => note("delete after") },
      link: {
        before: ({ operation }) => note(`link before ${operation.kind} ${String(operation["relation"])}`),
        after: () => note("link after"),
      },
      act: {
        before: ({ operation, input }) => note(`act before ${String(operation["action"])} ${JSON.stringify(input)}`),
        after: ({ item }) => note(`act after ${item?.title}`),
      },
      watch: { before: () => note("watch before") },
    },
  });
  const part = defineResource("part", {
    fields: { id: z.int32(), pageId: z.int32() },
    relations: { page: belongsTo("page", "pageId", { onDelete: "cascade" }) },
    access,
  });
  const label = defineResource("label", { key: "name", fields: { name: z.string() }, access });
  const api = defineApi({
    resources: [page, log, part, label],
    auth: { challenge: "Bearer", schemes: {}, authenticate: () => ({ id: "ann" }) },
  });
  return { api, calls, fail: (what: string) => (failing = what), take: () => calls.splice(0) };
}

const row = { id: 1, title: "Home", slug: null, at: "2026-01-02T03:04:05.000Z" };

test("run around every operation, in REST, GraphQL and in process", async () => {
  const { api, take } = create();
  expect((await send(api, "POST", "/pages", { body: row })).body).toEqual({ ...row, slug: "home" });
  expect(take()).toEqual(["create before create ann", "create after"]);
  expect((await send(api, "GET", "/logs/1")).body).toEqual({ id: 1, text: "created home made by a hook" });
  await send(api, "GET", "/pages/1");
  expect(take()).toEqual(["get before", "get after Home"]);
  await ask(api, "{ pages { nodes { id } } }");
  expect(take()).toEqual(["list before", "list after 1"]);
  expect((await send(api, "PATCH", "/pages/1", { body: { title: "Start" } })).body).toMatchObject({ slug: "start" });
  expect(take()).toEqual(["update before Home title", "update after Home Start"]);
  await ask(api, "mutation { updatePage(id: 1, input: { at: null }) { id } }");
  expect(take()).toEqual(["update before Start at", "update after Start Start"]);
  await api.local.page.replace(1, { id: 1, title: "End", slug: null, at: null });
  expect(take()).toEqual(["update before Start id,title,slug,at", "update after Start End"]);
  await send(api, "POST", "/pages/1/touch", { body: { by: "me" } });
  expect(take()).toEqual(['act before touch {"by":"me"}', "act after End"]);
  await send(api, "POST", "/labels", { body: { name: "x" } });
  expect((await send(api, "PUT", "/pages/1/labels/x")).status).toBe(204);
  expect(take()).toEqual(["link before link labels", "link after"]);
  await api.local.page.watch().return?.();
  expect(take()).toEqual(["watch before"]);
  await send(api, "DELETE", "/pages/1");
  expect(take()).toEqual(["delete before End", "delete after"]);
});

test("run for each row of bulk operations", async () => {
  const { api, take } = create();
  await send(api, "POST", "/pages", { body: [row, { ...row, id: 2 }] });
  expect(take()).toEqual([
    "create before createMany ann",
    "create after",
    "create before createMany ann",
    "create after",
  ]);
  await send(api, "PATCH", "/pages?filter[title]=Home", { body: { title: "A" } });
  expect(take()).toHaveLength(4);
  await send(api, "DELETE", "/pages?filter[title]=A");
  expect(take()).toHaveLength(4);
});

test.each(["create before create ann", "create after"])(
  "returns an error thrown in '%s' to the caller, and writes nothing",
  async (what) => {
    const { api, fail } = create();
    fail(what);
    const seen: unknown[] = [];
    const changes = api.local.log.watch();
    void (async () => {
      for await (const change of changes) seen.push(change);
    })();
    expect(await send(api, "POST", "/pages", { body: row })).toMatchObject({
      status: 409,
      body: { detail: `No ${what}.` },
    });
    expect((await send(api, "GET", "/pages")).body).toEqual([]);
    expect((await send(api, "GET", "/logs")).body).toEqual([]);
    await changes.return?.();
    expect(seen).toEqual([]);
  },
);

test("masks other thrown values", async () => {
  const broken = defineResource("broken", {
    fields: { id: z.int32() },
    access,
    hooks: {
      create: {
        before: () => {
          throw new Error("a secret");
        },
      },
    },
  });
  const api = defineApi({ resources: [broken], log: { info: () => {}, warn: () => {}, error: () => {} } });
  const answer = await send(api, "POST", "/brokens", { body: { id: 1 } });
  expect([answer.status, JSON.stringify(answer.body).includes("secret")]).toEqual([500, false]);
});

test("rejects an invalid or unknown hook at start", () => {
  const define = (hooks: object): unknown =>
    defineApi({ resources: [defineResource("x", { fields: { id: z.int32() }, access, hooks })] });
  expect(() => define({ creat: { before: () => {} } })).toThrow(/'creat'.*\n.*Did you mean 'create'/);
  expect(() => define({ create: { befor: () => {} } })).toThrow(/Did you mean 'before'/);
  expect(() => define({ create: { before: 5 } })).toThrow(/Expected a function/);
});

test.each([
  ["get", "before", "GET", "/logs/1", undefined, "{ log(id: 1) { id } }"],
  ["get", "after", "GET", "/logs/1", undefined, "{ log(id: 1) { id } }"],
  ["list", "before", "GET", "/logs", undefined, "{ logs { nodes { id } } }"],
  [
    "create",
    "before",
    "POST",
    "/logs",
    { id: 2, text: "Next" },
    'mutation { createLog(input: { id: 3, text: "a" }) { id } }',
  ],
  [
    "create",
    "after",
    "POST",
    "/logs",
    { id: 2, text: "Next" },
    'mutation { createLog(input: { id: 3, text: "a" }) { id } }',
  ],
  [
    "update",
    "after",
    "PATCH",
    "/logs/1",
    { text: "Next" },
    'mutation { updateLog(id: 1, input: { text: "a" }) { id } }',
  ],
  ["delete", "before", "DELETE", "/logs/1", undefined, "mutation { deleteLog(id: 1) { id } }"],
])(
  "log an error thrown in %s.%s with the method, path and operation",
  async (kind, phase, method, path, body, document) => {
    const cause = new Error("thrown by a hook");
    const lines: unknown[] = [];
    const collect = (message: string, details?: Readonly<Record<string, unknown>>): void => {
      lines.push({ message, ...details });
    };
    const hook = (): never => {
      throw cause;
    };
    const log = defineResource("log", {
      fields: { id: z.int32(), text: z.string() },
      access,
      hooks: { [kind]: { [phase]: hook } },
    });
    const api = defineApi({
      resources: [log],
      store: memoryStore({ data: { log: [{ id: 1, text: "First" }] } }),
      log: { info: collect, warn: collect, error: collect },
      warnings: false,
    });
    // The query can contain values of rows, so it isn't logged.
    const response = await send(api, method, `${path}${method === "DELETE" ? "" : "?fields=id"}`, { body });
    expect(response).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
    const { requestId } = response.body as { readonly requestId: string };
    const failed = { message: "An operation failed.", operation: kind, resource: "log", cause };
    expect(lines.splice(0)).toEqual([{ ...failed, requestId, method, path }]);
    await ask(api, document);
    expect(lines).toMatchObject([{ ...failed, method: "POST", path: "/graphql" }]);
  },
);
