import { asSystem, memoryStore } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createShelf, historyOf, send, type Shelf, shortOf } from "./shelf.ts";

const AUDIT = asSystem("an audit");

describe("in memory", () => {
  historyCases(async () => ({ api: createShelf(memoryStore()), drop: async () => {} }));
});

describe.each(servers)("in $name", ({ missing, create }) => {
  describe.skipIf(missing !== undefined)("when it runs", () => {
    historyCases(async () => {
      const database: TestDatabase = await create();
      const api = createShelf(sqlStore({ url: database.url, autoCreate: true, max: 4 }));
      return { api, drop: () => database.drop() };
    });
  });
});

interface Opened {
  readonly api: Shelf;
  readonly drop: () => Promise<unknown>;
}

function historyCases(open: () => Promise<Opened>): void {
  let opened: Opened;
  let api: Shelf;
  beforeEach(async () => {
    opened = await open();
    ({ api } = opened);
    await api.ready;
  });
  afterEach(async () => {
    await api?.close();
    await opened?.drop();
  });

  const createBook = async (body: object = {}): Promise<void> => {
    const reply = await send(api, "ann", "POST /books", { title: "Emma", price: 3, notes: "mine", ...body });
    expect(reply.status).toBe(201);
  };
  const short = async (as: "ann" | "bob" | "ed", path: string): Promise<readonly string[]> =>
    (await historyOf(api, as, path)).map(shortOf);

  test("records the values before and after each write, and its caller", async () => {
    await createBook();
    await send(api, "ed", "PATCH /books/1", { title: "Persuasion", price: 4 });
    await send(api, "ann", "DELETE /books/1");
    await send(api, "ann", "POST /books/1/restore");
    const [restored, deleted, updated, created] = await historyOf(api, "ed", "/books/1");
    expect(created).toMatchObject({ by: "ann", operation: "create", action: null });
    expect(created?.changes).toContainEqual({ field: "title", from: null, to: "Emma" });
    expect(created?.changes).toContainEqual({ field: "price", from: null, to: 3 });
    expect(created?.changes).toContainEqual({ field: "tags", from: null, to: [] });
    expect(updated).toMatchObject({ by: "ed", operation: "update", action: null });
    expect(updated?.changes).toContainEqual({ field: "title", from: "Emma", to: "Persuasion" });
    expect(updated?.changes).toContainEqual({ field: "price", from: 3, to: 4 });
    expect(deleted).toMatchObject({ by: "ann", operation: "delete" });
    const time = deleted?.changes.find(({ field }) => field === "deletedAt")?.to;
    expect(time).toMatch(/^\d{4}-/);
    expect(restored).toMatchObject({ by: "ann", operation: "restore" });
    expect(restored?.changes).toContainEqual({ field: "deletedAt", from: time, to: null });
  });

  test("records every way to write a row", async () => {
    await createBook();
    const mergePatch = { "content-type": "application/merge-patch+json" };
    const jsonPatch = { "content-type": "application/json-patch+json" };
    await send(api, "ann", "PATCH /books/1", { tags: ["a"] }, mergePatch);
    await send(api, "ann", "PATCH /books/1", [{ op: "replace", path: "/title", value: "B" }], jsonPatch);
    const book = { title: "C", price: 3, ownerId: "ann", notes: "mine", code: null, tags: ["a"] };
    expect(await send(api, "ann", "PUT /books/1", book)).toMatchObject({ status: 200 });
    await send(api, "ann", "PATCH /books/1", { title: "trim me" });
    await send(api, "ann", "POST /books/1/publish");
    await send(api, "ed", "PATCH /books?filter[title]=trimmed!", { notes: null });
    await send(api, "ed", "POST /graphql", {
      query: 'mutation { updateBook(id: 1, input: { title: "D" }) { title } }',
    });
    await api.as({ id: "bob" }).book.update(1, { title: "E" });
    await api.as(AUDIT).book.update(1, { ownerId: "bob" });
    expect(await short("ed", "/books/1")).toEqual([
      "system: an audit update ownerId",
      "bob update title",
      "ed update title",
      "ann publish title",
      "ann update title",
      "ann update title",
      "ann update title",
      "ann update tags",
      "ann create id title price ownerId tags",
    ]);
    const labels = await api.as(AUDIT).label.history("of-1");
    expect(labels.items).toMatchObject([{ by: "ann", operation: "create", action: "publish" }]);
  });

  test("records rows of bulk writes and nested writes", async () => {
    const many = await send(api, "ann", "POST /books", [
      { title: "A", price: 1 },
      { title: "B", price: 1 },
    ]);
    expect(many.status).toBe(201);
    const nested = await send(api, "ann", "PATCH /books/1", { reviews: { create: [{ text: "Good" }] } });
    expect(nested.status).toBe(200);
    await send(api, "ann", "PATCH /books/1", { reviews: { update: [{ id: 1, text: "Great" }] } });
    const bulk = await send(api, "ann", "PATCH /books?filter[title][in]=A&filter[title][in]=B", { ownerId: "cat" });
    expect(bulk.status).toBe(200);
    await send(api, "ann", "DELETE /books?filter[title][in]=A&filter[title][in]=B");
    const titles = (id: number): Promise<readonly string[]> =>
      api
        .as(AUDIT)
        .book.history(id)
        .then(({ items }) => items.map(shortOf));
    const expected = ["ann delete deletedAt", "ann update ownerId"];
    expect(await titles(1)).toEqual([...expected, "ann create id title price ownerId tags"]);
    expect(await titles(2)).toEqual([...expected, "ann create id title price ownerId tags"]);
    const reviews = await api.as(AUDIT).review.history(1);
    expect(reviews.items.map(shortOf)).toEqual([
      "ann delete deletedAt",
      "ann update text",
      "ann create id text bookId",
    ]);
  });

  test("records cascades and references that become null", async () => {
    await createBook();
    await send(api, "ann", "POST /reviews", { text: "Good", bookId: 1 });
    await send(api, "ann", "DELETE /books/1");
    await send(api, "bob", "POST /books/1/restore");
    expect(await short("bob", "/reviews/1")).toEqual([
      "bob restore deletedAt",
      "ann delete deletedAt",
      "ann create id text bookId",
    ]);
    await send(api, "ann", "PUT /labels/top", { slug: "top", name: "Top", parent: null });
    await send(api, "ann", "PUT /labels/sub", { slug: "sub", name: "Sub", parent: "top" });
    expect(await send(api, "bob", "DELETE /labels/top")).toMatchObject({ status: 200 });
    const [last] = await historyOf(api, "ed", "/labels/sub");
    expect(last).toMatchObject({ by: "bob", changes: [{ field: "parent", from: "top", to: null }] });
    const [deleted] = (await api.as(AUDIT).label.history("top")).items;
    expect(deleted?.changes).toEqual([
      { field: "slug", from: "top", to: null },
      { field: "name", from: "Top", to: null },
    ]);
  });

  test("doesn't record a write that is rolled back or changes nothing", async () => {
    await createBook();
    expect(await send(api, "ann", "PATCH /books/1", { title: "fail" })).toMatchObject({ status: 409 });
    expect(await send(api, "ann", "PATCH /books/1", { title: "" })).toMatchObject({ status: 422 });
    const rolledBack = api.transaction(
      async (local) => {
        await local.book.update(1, { title: "F" });
        await local.book.create({ title: "G", price: null, notes: null, code: null });
        throw new Error("changed my mind");
      },
      { principal: { id: "ann" } },
    );
    await expect(rolledBack).rejects.toThrow("changed my mind");
    const all = await send(api, "ann", "POST /books", [{ title: "H" }, { title: "" }]);
    expect(all.status).toBe(422);
    expect(await short("ed", "/books/1")).toEqual(["ann create id title price ownerId tags"]);
    await api.transaction((local) => local.book.update(1, { title: "F" }), { principal: { id: "ann" } });
    expect(await short("ed", "/books/1")).toHaveLength(2);
  });

  test("hides changes of fields that the caller can't read (A42)", async () => {
    await createBook({ code: "secret" });
    await send(api, "ann", "PATCH /books/1", { price: 99 });
    await send(api, "ann", "PATCH /books/1", { notes: "private", title: "Open" });
    await send(api, "ann", "PATCH /books/1", { code: "secret2" });
    expect(await short("bob", "/books/1")).toEqual(["ann update title", "ann create id title ownerId tags"]);
    expect(await short("ann", "/books/1")).toEqual([
      "ann update title notes",
      "ann create id title ownerId notes tags",
    ]);
    expect(await short("ed", "/books/1")).toHaveLength(3);
    const system = await api.as(AUDIT).book.history(1);
    expect(JSON.stringify(system)).not.toContain("secret");
    const counted = await send(api, "bob", "GET /books/1/history?count=true&page[size]=1");
    expect(counted.headers.get("total-count")).toBe("2");
    const query = "{ book(id: 1) { history(first: 10) { totalCount nodes { changes { field from to } } } } }";
    const graphql = await send(api, "bob", "POST /graphql", { query });
    expect(JSON.stringify(graphql.body)).not.toMatch(/private|99|mine|secret/);
    expect(graphql.body).toMatchObject({ data: { book: { history: { totalCount: 2 } } } });
  });

  test("reads a page of entries in both styles and in local calls", async () => {
    await createBook();
    for (const title of ["A", "B", "C"]) await send(api, "ann", "PATCH /books/1", { title });
    const first = await send(api, "ann", "GET /books/1/history?page[size]=2");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await send(api, "ann", `GET ${next}`);
    const rest = [...(first.body as object[]), ...(second.body as object[])];
    const query = `query ($after: String) { book(id: 1) { history(first: 2, after: $after) {
      nodes { id at by operation action changes { field from to } } pageInfo { hasNextPage endCursor } } } }`;
    const graphql: object[] = [];
    for (let after: unknown = null, more = true; more; ) {
      const { body } = await send(api, "ann", "POST /graphql", { query, variables: { after } });
      const { history } = (
        body as { data: { book: { history: { nodes: object[]; pageInfo: Record<string, unknown> } } } }
      ).data.book;
      graphql.push(...history.nodes);
      after = history.pageInfo["endCursor"];
      more = history.pageInfo["hasNextPage"] === true;
    }
    expect(graphql).toEqual(rest);
    const one = await api.as({ id: "ann" }).book.history(1, { page: { size: 3 }, count: true });
    expect(one).toMatchObject({ total: 4, hasNext: true });
    const other = await api.as({ id: "ann" }).book.history(1, { page: { size: 3, after: one.endCursor as string } });
    expect([...one.items, ...other.items]).toEqual(rest);
    const filtered = await send(api, "ann", "GET /books/1/history?filter[operation]=create");
    expect(filtered.body).toHaveLength(1);
    const included = await send(api, "ann", "GET /books/1?include=history&rel[history][page][size]=1");
    expect(included.body).toMatchObject({ history: [{ operation: "update" }] });
  });

  test("needs a row that the caller can read", async () => {
    await createBook();
    expect(await send(api, "ann", "GET /books/2/history")).toMatchObject({ status: 404 });
    await send(api, "ann", "DELETE /books/1");
    expect(await send(api, "ann", "GET /books/1/history")).toMatchObject({ status: 404 });
    await expect(api.as({ id: "ann" }).book.history(1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const query = "{ book(id: 1, deleted: WITH) { history { nodes { operation } } } }";
    const deleted = { data: { book: { history: { nodes: [{ operation: "delete" }, { operation: "create" }] } } } };
    expect((await send(api, "ed", "POST /graphql", { query })).body).toEqual(deleted);
    const editor = { id: "ed", roles: ["editor"] };
    expect((await api.as(editor).book.history(1, { deleted: "with" })).items).toHaveLength(2);
    const refused = api.as({ id: "ann" }).book.history(1, { deleted: "with" });
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("applies the rule of the history in addition", async () => {
    await send(api, "ann", "PUT /labels/top", { slug: "top", name: "Top", parent: null });
    expect(await send(api, undefined, "GET /labels/top/history")).toMatchObject({ status: 401 });
    expect(await send(api, "ann", "GET /labels/top/history")).toMatchObject({ status: 403 });
    const query = '{ label(id: "top") { name history { nodes { by } } } }';
    const hidden = await send(api, "ann", "POST /graphql", { query });
    expect(hidden.body).toMatchObject({ data: { label: { name: "Top", history: null } } });
    expect(hidden.body).toMatchObject({ errors: [{ path: ["label", "history"], extensions: { code: "FORBIDDEN" } }] });
    const shown = await send(api, "ed", "POST /graphql", { query });
    expect(shown.body).toEqual({ data: { label: { name: "Top", history: { nodes: [{ by: "ann" }] } } } });
  });

  test("starts again when the key of a deleted row is used again", async () => {
    const label = { slug: "top", name: "Old", parent: null };
    await send(api, "ann", "PUT /labels/top", label);
    await send(api, "ann", "DELETE /labels/top");
    expect(await send(api, "ed", "GET /labels/top/history")).toMatchObject({ status: 404 });
    await send(api, "bob", "PUT /labels/top", { ...label, name: "New" });
    expect(await short("ed", "/labels/top")).toEqual(["bob create slug name"]);
    const all = (await api.as(AUDIT).label.history("top")).items;
    expect(all.map(({ by, operation }) => `${by} ${operation}`)).toEqual(["bob create", "ann delete", "ann create"]);
  });

  test("follows a row whose key changes", async () => {
    await send(api, "ann", "PUT /labels/gone", { slug: "gone", name: "Gone", parent: null });
    await send(api, "ann", "DELETE /labels/gone");
    await send(api, "ann", "PUT /labels/top", { slug: "top", name: "Top", parent: null });
    expect(await send(api, "bob", "PATCH /labels/top", { slug: "gone" })).toMatchObject({ status: 200 });
    expect(await short("ed", "/labels/gone")).toEqual(["bob update slug", "ann create slug name"]);
  });

  test("orders the entries of concurrent writes like their changes", async () => {
    await createBook();
    const titles = Array.from({ length: 8 }, (_, at) => `title ${at}`);
    await Promise.all(titles.map((title) => send(api, "ann", "PATCH /books/1", { title })));
    const entries = await historyOf(api, "ann", "/books/1");
    expect(entries).toHaveLength(9);
    const changes = entries.flatMap((entry) => entry.changes.filter(({ field }) => field === "title")).toReversed();
    expect(changes.slice(1).map(({ from }) => from)).toEqual(changes.slice(0, -1).map(({ to }) => to));
  });

  test("offers only reads", async () => {
    await createBook();
    const refused = await send(api, "ed", "POST /books/1/history", {});
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const [entry] = await historyOf(api, "ed", "/books/1");
    for (const path of ["/book-histories", `/book-histories/${entry?.id}`, `/book-histories/${entry?.id}/row`]) {
      expect(await send(api, "ed", `GET ${path}`)).toMatchObject({ status: 404 });
      expect(await send(api, "ed", `POST ${path}`, {})).toMatchObject({ status: 404 });
    }
    expect(Object.keys(api.as(AUDIT))).not.toContain("bookHistory");
    expect(await send(api, "ed", "GET /books/1/history?sort=at")).toMatchObject({ status: 400 });
  });
}
