import { startBookstore } from "@bifocal/example-bookstore/start";
import { stripTypeScriptTypes } from "node:module";
import { compileFunction } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEYS, send } from "../bookstore/stores.ts";
import { snippets } from "./snippets.ts";

interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}
interface Lists {
  readonly getList: (resource: string, params: object) => Promise<List>;
  readonly getMany: (resource: string, params: object) => Promise<Pick<List, "data">>;
  readonly getManyReference: (resource: string, params: object) => Promise<List>;
}

/** The `lists` function of docs/admin-panels.md. */
function listsOfDocs(): (url: string, headers: object) => Lists {
  const snippet = snippets().find(
    ({ at, text }) => at.startsWith("docs/admin-panels.md") && text.includes("function lists"),
  );
  const code = stripTypeScriptTypes(snippet?.text ?? "");
  return (compileFunction(`${code}; return lists;`) as () => (url: string, headers: object) => Lists)();
}

let store: Awaited<ReturnType<typeof startBookstore>>;
let lists: Lists;
beforeAll(async () => {
  store = await startBookstore({ adapter: "express", port: 0, keys: KEYS });
  lists = listsOfDocs()(store.url, { authorization: `Bearer ${KEYS["admin"]}` });
});
afterAll(() => store.close());

const AUTHOR = "a0000000-0000-4000-8000-000000000001";
const sort = { field: "title", order: "DESC" };

test("getList pages, sorts, filters and counts", async () => {
  const all = await lists.getList("books", { sort });
  expect(all.total).toBe(all.data.length);
  const titles = all.data.map(({ title }) => title);
  const second = await lists.getList("books", { pagination: { page: 2, perPage: 2 }, sort });
  expect([second.total, second.data.map(({ title }) => title)]).toEqual([all.total, titles.slice(2, 4)]);
  const novels = await lists.getList("books", { sort, filter: { genre: "novel", "price][gte": 10 } });
  expect(novels.total).toBeGreaterThan(0);
  expect(novels.total).toBeLessThan(all.total);
  expect(novels.data.every(({ genre, price }) => genre === "novel" && Number(price) >= 10)).toBe(true);
});

test("getMany and getManyReference return the rows", async () => {
  const { data, total } = await lists.getManyReference("books", { target: "authorId", id: AUTHOR, sort });
  expect(total).toBe(data.length);
  expect(new Set(data.map(({ authorId }) => authorId))).toEqual(new Set([AUTHOR]));
  const ids = data.slice(0, 2).map(({ id }) => id);
  expect((await lists.getMany("books", { ids })).data.map(({ id }) => id)).toEqual(ids);
});

test("reports the detail of a problem", async () => {
  await expect(lists.getList("books", { sort: { field: "id", order: "ASC" } })).rejects.toThrow("'id'");
});

test.each(["PUT", "PATCH"])("%s accepts the row that an admin panel has read", async (method) => {
  const path = "/books/b0000000-0000-4000-8000-000000000001";
  const { body: row } = await send(store.url, "GET", path, { as: "admin" });
  const body = { ...(row as object), price: 11 };
  expect(await send(store.url, method, path, { as: "admin", body })).toMatchObject({
    status: 200,
    body: { price: 11 },
  });
});
