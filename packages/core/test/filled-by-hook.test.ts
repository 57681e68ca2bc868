import { beforeEach, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  memoryStore,
  owner,
  silentLog,
  uuid,
} from "../src/index.ts";
import { ask, send } from "./request.ts";

/** Returned by the hook instead of a slug of the title. */
let slug: unknown;
let calls = 0;
beforeEach(() => {
  slug = undefined;
  calls = 0;
});
const post = defineResource("post", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    slug: z.string().regex(/^[a-z-]+$/),
    ownerId: z.string(),
    at: z.date(),
    parentId: z.uuid().nullable(),
  },
  generated: { id: uuid() },
  filledByHook: ["slug", "ownerId", "at"],
  relations: { parent: belongsTo("post", "parentId"), replies: hasMany("post", "parentId", { creates: 3 }) },
  access: {
    read: allow,
    create: owner("ownerId"),
    update: ({ input }) => input?.["slug"] !== "taken",
    delete: deny,
  },
  bulk: { create: 9 },
  hooks: {
    create: {
      before: ({ input, principal }) => {
        calls++;
        expectTypeOf(input.slug).toEqualTypeOf<string | undefined>();
        if (slug === null) return undefined;
        const made = (slug as string | undefined) ?? input.title?.toLowerCase();
        return { slug: made ?? "", ownerId: principal?.id ?? "", at: new Date(0), ...input };
      },
    },
  },
});

function start(id = "ann") {
  const errors: unknown[] = [];
  const auth = { challenge: "Bearer", schemes: {}, authenticate: () => ({ id }) };
  const log = { ...silentLog, error: (_: string, fields?: object) => void errors.push(fields) };
  const api = defineApi({ resources: [post], store: memoryStore(), log, auth });
  return { api, posts: api.as({ id }).post, errors };
}
const emma = { title: "Emma", parentId: null };
const filled = { title: "Emma", slug: "emma", ownerId: "ann", at: "1970-01-01T00:00:00.000Z" };

test("an input may omit a required field that the hook fills, in REST, GraphQL and in process", async () => {
  const { api, posts } = start();
  expect(await send(api, "POST", "/posts", { body: emma })).toMatchObject({ status: 201, body: filled });
  const mutation = `mutation { createPost(input: { title: "Emma" }) { slug ownerId } }`;
  expect(await ask(api, mutation)).toEqual({ data: { createPost: { slug: "emma", ownerId: "ann" } } });
  expect(await posts.create(emma)).toMatchObject({ slug: "emma", at: new Date(0) });
  expect(await posts.createMany([emma, { ...emma, slug: "own" }])).toMatchObject([{ slug: "emma" }, { slug: "own" }]);
  const nested = await posts.create({ ...emma, replies: [{ title: "Reply" }] });
  expect(nested).toMatchObject({ slug: "emma" });
  expectTypeOf<{ title: string; parentId: null }>().toExtend<Parameters<typeof posts.create>[0]>();
  expectTypeOf<{ parentId: null }>().not.toExtend<Parameters<typeof posts.create>[0]>();
});

test("a rule about a filled field decides after the hook, and at once if the input contains it", async () => {
  const { posts } = start();
  await expect(posts.create({ ...emma, ownerId: "ben" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(calls).toBe(0);
  await posts.create({ ...emma, ownerId: "ann" });
  expect(calls).toBe(1);
});

test("a rule that reads a filled field of the input decides after the hook", async () => {
  const page = defineResource("page", {
    fields: { id: z.int32(), slug: z.string() },
    filledByHook: ["slug"],
    access: { read: allow, create: ({ input }) => input?.["slug"] === "ok", update: deny, delete: deny },
    hooks: { create: { before: ({ input }) => ({ slug: input.id === 1 ? "ok" : "bad", ...input }) } },
  });
  const { local } = defineApi({ resources: [page], log: silentLog });
  expect(await local.page.create({ id: 1 })).toEqual({ id: 1, slug: "ok" });
  await expect(local.page.create({ id: 2 })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(local.page.create({ id: 3, slug: "bad" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("the value is validated after the hook", async () => {
  const { api, errors } = start();
  slug = null;
  const missing = await send(api, "POST", "/posts", { body: { ...emma, ownerId: "ann" } });
  expect(missing).toMatchObject({
    status: 422,
    body: {
      errors: [
        { path: ["slug"], code: "required" },
        { path: ["at"], code: "required" },
      ],
    },
  });
  expect(errors).toEqual([]);
  slug = "Not A Slug";
  expect(await send(api, "POST", "/posts", { body: emma })).toMatchObject({ status: 500 });
  expect(String((errors[0] as { cause?: unknown }).cause)).toMatch(/A hook of 'post' set invalid values. slug: /);
  const given = await send(api, "POST", "/posts", { body: { ...emma, slug: "Not A Slug" } });
  expect(given).toMatchObject({ status: 422, body: { errors: [{ path: ["slug"] }] } });
  expect(await send(api, "GET", "/posts?count=true")).toMatchObject({ headers: { "Total-Count": "0" } });
});

test("a replacement may omit it, and keeps its value", async () => {
  const { api, posts } = start();
  const { id } = (await posts.create(emma)) ?? {};
  const put = await send(api, "PUT", `/posts/${id}`, { body: { title: "Persuasion", parentId: null } });
  expect(put).toMatchObject({ status: 200, body: { title: "Persuasion", slug: "emma" } });
});

test("OpenAPI and GraphQL describe it as optional", () => {
  const { api } = start();
  const document = JSON.parse(JSON.stringify(api.openapi())) as {
    components: { schemas: Record<string, { required?: string[]; properties: object }> };
  };
  const { CreatePost, ReplacePost } = document.components.schemas;
  expect(CreatePost?.required).toEqual(["title"]);
  expect(CreatePost?.properties).toHaveProperty("slug");
  expect(ReplacePost?.required).toEqual(["title", "parentId"]);
  const input = /input CreatePostInput \{[^}]*\}/.exec(api.graphql.sdl())?.[0];
  expect(input).toMatch(/slug: String\n/);
  expect(input).toMatch(/title: String!\n/);
});

test("reports a field that nothing fills, or that no input contains", () => {
  const fields = { id: z.uuid(), slug: z.string() };
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const resource = defineResource("page", { fields, access, generated: { id: uuid() }, filledByHook: ["slug", "id"] });
  expect(() => defineApi({ resources: [resource] })).toThrow(
    /page.fields.id: No caller can write this field[^]*page.fields.slug: No hook fills this field/,
  );
});
