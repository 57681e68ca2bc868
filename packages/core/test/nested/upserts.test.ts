import { expect, test } from "vitest";
import { z } from "zod";
import { allow, apiKeys, defineApi, defineResource, deny, manyToMany, memoryStore, signedIn } from "../../src/index.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: signedIn, update: signedIn, delete: deny };

function start(links = 2) {
  const seen: string[] = [];
  const page = defineResource("page", {
    fields: { slug: z.string(), title: z.string().min(2) },
    key: "slug",
    upsert: true,
    relations: { tags: manyToMany("tag", { links }) },
    access: { ...access, relations: { tags: { link: ({ principal }) => principal?.id !== "bob" } } },
    hooks: {
      link: { after: ({ item, operation }) => void seen.push(`link ${item.slug} ${String(operation["target"])}`) },
    },
  });
  const tag = defineResource("tag", {
    fields: { id: z.int32(), isHidden: z.boolean() },
    relations: { pages: manyToMany("page") },
    access: { ...access, read: () => ({ isHidden: false }) },
  });
  const api = defineApi({
    resources: [page, tag],
    auth: apiKeys({ ann: { id: "ann" }, bob: { id: "bob" } }),
    store: memoryStore({ data: { tag: [1, 2, 3, 4].map((id) => ({ id, isHidden: id === 4 })) } }),
  });
  const put = async (slug: string, body: object, who = "ann") => {
    const headers = { authorization: `Bearer ${who}` };
    const { status, body: answer } = await send(api, "PUT", `/pages/${slug}`, { body, headers });
    const { errors } = answer as { errors?: readonly { path: unknown; code: string }[] };
    return [status, ...(errors ?? []).map(({ path, code }) => [path, code])];
  };
  const tagsOf = async (slug: string) =>
    (await api.local.page.get(slug, { select: { tags: { select: { id: true } } } }))?.tags.map(({ id }) => id);
  return { api, put, tagsOf, seen };
}

test("a PUT that creates a row links the rows of its list, like one that replaces it", async () => {
  const { put, tagsOf, seen } = start();
  expect(await put("a", { title: "Emma", tags: [1, 2] })).toEqual([201]);
  expect(await tagsOf("a")).toEqual([1, 2]);
  expect(seen).toEqual(["link a 1", "link a 2"]);
  expect(await put("a", { title: "Emma", tags: [2, 3] })).toEqual([200]);
  expect(await tagsOf("a")).toEqual([2, 3]);
  expect(await put("b", { title: "Emma", tags: [] })).toEqual([201]);
  expect(await put("c", { title: "Emma" })).toEqual([201]);
  expect([await tagsOf("b"), await tagsOf("c")]).toEqual([[], []]);
});

test.each<[name: string, body: object, issues: readonly unknown[]]>([
  ["a missing row", { title: "Emma", tags: [1, 9] }, [[["tags", 1], "unknown_reference"]]],
  ["a hidden row", { title: "Emma", tags: [4] }, [[["tags", 0], "unknown_reference"]]],
  ["too many links", { title: "Emma", tags: [1, 2, 3] }, [[["tags"], "too_big"]]],
  ["the same row twice", { title: "Emma", tags: [1, 1] }, [[["tags", 1], "duplicate"]]],
  ["an object", { title: "Emma", tags: { add: [1] } }, [[["tags"], "invalid_type"]]],
  ["null", { title: "Emma", tags: null }, [[["tags"], "invalid_type"]]],
])("rejects %s, and creates no row", async (_, body, issues) => {
  const { api, put } = start();
  expect(await put("a", body)).toEqual([422, ...issues]);
  expect(await api.local.page.get("a")).toBeNull();
});

test("returns the mistakes of the fields and of the links together", async () => {
  const { put } = start();
  expect(await put("a", { title: "E", tags: ["x"] })).toEqual([
    422,
    [["title"], "too_small"],
    [["tags", 0], expect.any(String)],
  ]);
});

test("requires the right to link", async () => {
  const { api, put } = start();
  expect(await put("a", { title: "Emma", tags: [1] }, "bob")).toEqual([403, [["tags"], "FORBIDDEN"]]);
  expect(await api.local.page.get("a")).toBeNull();
  expect(await put("a", { title: "Emma" }, "bob")).toEqual([201]);
});

test("publishes the event of the row before those of its links, once", async () => {
  const { api, put } = start();
  const watching = api.local.page.watch({ select: { slug: true, tags: { select: { id: true } } } });
  const first = watching.next();
  expect(await put("a", { title: "Emma", tags: [1] })).toEqual([201]);
  expect((await first).value).toMatchObject({ kind: "created", item: { slug: "a", tags: [{ id: 1 }] } });
  await watching.return?.();
});

test("works in GraphQL and in local calls", async () => {
  const { api, tagsOf } = start();
  const replace =
    'mutation ($input: ReplacePageInput!) { replacePage(id: "a", input: $input) { tags { nodes { id } } } }';
  const input = { slug: "a", title: "Emma", tags: ["1", "3"] };
  const { data } = await ask(api, replace, { body: { input }, headers: { authorization: "Bearer ann" } });
  expect(data).toEqual({ replacePage: { tags: { nodes: [{ id: "1" }, { id: "3" }] } } });
  await api.as({ id: "ann" }).page.replace("b", { slug: "b", title: "Emma", tags: [2] });
  expect([await tagsOf("a"), await tagsOf("b")]).toEqual([[1, 3], [2]]);
});
