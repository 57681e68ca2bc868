import { expect, test } from "vitest";
import { onEachStore, send } from "./stores.ts";

const LEM = "a0000000-0000-4000-8000-000000000003";
const EDEN = { title: "Eden", authorId: LEM, genre: "novel", price: 9, publishedAt: "1959-01-01" };

onEachStore((base) => {
  const create = async (body: object = EDEN): Promise<{ path: string; etag: string }> => {
    const { status, headers } = await send(base(), "POST", "/books", { as: "admin", body });
    expect(status).toBe(201);
    return { path: headers.get("location") ?? "", etag: headers.get("etag") ?? "" };
  };

  test("creates, reads, replaces, updates and deletes", async () => {
    const created = await send(base(), "POST", "/books", { as: "editor", body: EDEN });
    expect(created).toMatchObject({ status: 201, body: EDEN });
    const path = created.headers.get("location") ?? "";
    expect((await send(base(), "GET", path)).body).toEqual(created.body);

    const replaced = await send(base(), "PUT", path, { as: "editor", body: { ...EDEN, price: 10 } });
    expect(replaced).toMatchObject({ status: 200, body: { price: 10 } });
    expect(replaced.headers.get("etag")).not.toBe(created.headers.get("etag"));

    const patched = await send(base(), "PATCH", path, {
      as: "editor",
      body: { title: "Eden!" },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect(patched).toMatchObject({ status: 200, body: { title: "Eden!", price: 10 } });

    const id = path.split("/").at(-1);
    expect(await send(base(), "DELETE", path, { as: "admin" })).toMatchObject({
      status: 200,
      body: { deleted: true, id },
    });
    expect((await send(base(), "GET", path)).status).toBe(404);
  });

  test("creates an author with books in one transaction, in either style", async () => {
    const { authorId: _, ...eden } = EDEN;
    const body = { name: "Ann", email: null, bio: null, born: null, books: [eden, { ...eden, title: "Solaris" }] };
    const made = await send(base(), "POST", "/authors?fields=name,books.title&rel[books][sort]=title", {
      as: "editor",
      body,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { name: "Ann", books: [{ title: "Eden" }, { title: "Solaris" }] },
    });
    const books = `${made.headers.get("location")}/books?count=true`;
    expect((await send(base(), "GET", books)).headers.get("total-count")).toBe("2");

    const query = `mutation ($input: CreateAuthorInput!) { createAuthor(input: $input) { books { nodes { title genre } } } }`;
    const asked = { as: "editor", body: { query, variables: { input: { ...body, name: "Bob" } } } } as const;
    expect((await send(base(), "POST", "/graphql", asked)).body).toEqual({
      data: {
        createAuthor: {
          books: {
            nodes: expect.arrayContaining([
              { title: "Eden", genre: "novel" },
              { title: "Solaris", genre: "novel" },
            ]),
          },
        },
      },
    });

    const wrong = { ...body, name: "Cid", books: [eden, { ...eden, price: -1 }] };
    expect(await send(base(), "POST", "/authors", { as: "editor", body: wrong })).toMatchObject({
      status: 422,
      body: { errors: [{ path: ["books", 1, "price"], code: "too_small" }] },
    });
    expect((await send(base(), "GET", "/authors?filter[name]=Cid&count=true")).headers.get("total-count")).toBe("0");
    expect((await send(base(), "POST", "/authors", { as: "reader", body })).status).toBe(403);
  });

  test("requires every writable field in a replacement", async () => {
    const { path } = await create();
    const { publishedAt: _, ...body } = EDEN;
    expect(await send(base(), "PUT", path, { as: "editor", body })).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_FAILED", errors: [{ path: ["publishedAt"], code: "required" }] },
    });
  });

  test("lists every issue of an input", async () => {
    const body = {
      title: "",
      authorId: LEM,
      genre: "song",
      price: -1,
      publishedAt: "soon",
      id: LEM,
      cost: 1,
      titel: "x",
    };
    const { status, body: problem } = await send(base(), "POST", "/books", { as: "editor", body });
    expect(status).toBe(422);
    const issues = (problem as { errors: { path: string[]; code: string }[] }).errors;
    expect(issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort()).toEqual([
      "cost unrecognized_key",
      "genre invalid_value",
      "id not_writable",
      "price too_small",
      "publishedAt invalid_format",
      "titel unrecognized_key",
      "title too_small",
    ]);
  });

  test("rejects a reference to a missing row", async () => {
    const body = { ...EDEN, authorId: LEM.replace("3", "9") };
    expect(await send(base(), "POST", "/books", { as: "editor", body })).toMatchObject({
      status: 422,
      body: { errors: [{ path: ["authorId"], code: "unknown_reference" }] },
    });
  });

  test("checks a precondition in the same step as the write", async () => {
    const { path, etag } = await create();
    const change = (price: number, tag: string) =>
      send(base(), "PATCH", path, { as: "editor", body: { price }, headers: { "if-match": tag } });
    expect((await change(1, etag)).status).toBe(200);
    expect(await change(2, etag)).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
    expect((await change(3, "*")).status).toBe(200);
    const deleted = await send(base(), "DELETE", path, { as: "admin", headers: { "if-match": etag } });
    expect(deleted.status).toBe(412);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async (price) => {
        const now = (await send(base(), "GET", path)).headers.get("etag") ?? "";
        return (await change(price + 10, now)).status;
      }),
    );
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(0);
  });

  test("lets one of two writers with the same precondition succeed", async () => {
    const { path, etag } = await create();
    const writes = Array.from({ length: 8 }, (_, price) =>
      send(base(), "PATCH", path, { as: "editor", body: { price }, headers: { "if-match": etag } }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
  });

  test("honors Prefer: return=minimal", async () => {
    const headers = { prefer: "return=minimal" };
    const created = await send(base(), "POST", "/books", { as: "admin", body: EDEN, headers });
    expect([created.status, created.body]).toEqual([201, undefined]);
    expect(created.headers.get("preference-applied")).toBe("return=minimal");
    const path = created.headers.get("location") ?? "";
    expect((await send(base(), "PATCH", path, { as: "admin", body: { price: 1 }, headers })).status).toBe(204);
    expect((await send(base(), "DELETE", path, { as: "admin", headers })).status).toBe(204);
  });

  test("creates inside a collection", async () => {
    const { authorId: _, ...body } = EDEN;
    const inside = `/authors/${LEM}/books`;
    const created = await send(base(), "POST", inside, { as: "editor", body });
    expect(created).toMatchObject({ status: 201, body: { authorId: LEM } });
    const other = await send(base(), "POST", inside, {
      as: "editor",
      body: { ...EDEN, authorId: LEM.replace("3", "1") },
    });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ path: ["authorId"], code: "contradiction" }] } });
    const nowhere = await send(base(), "POST", inside.replace("3/", "9/"), { as: "editor", body });
    expect(nowhere.status).toBe(404);
  });

  test("links and unlinks repeatedly", async () => {
    const { path } = await create();
    const slugs = async () =>
      ((await send(base(), "GET", `${path}/tags`)).body as { slug: string }[]).map(({ slug }) => slug);
    expect((await send(base(), "PUT", `${path}/tags/sale`, { as: "editor" })).status).toBe(204);
    expect((await send(base(), "PUT", `${path}/tags/sale`, { as: "editor" })).status).toBe(204);
    expect(await slugs()).toEqual(["sale"]);
    expect((await send(base(), "PUT", `${path}/tags/none`, { as: "editor" })).status).toBe(404);
    expect((await send(base(), "PUT", `${path}/tags/satire`, { as: "reader" })).status).toBe(403);
    expect((await send(base(), "DELETE", `${path}/tags/sale`, { as: "editor" })).status).toBe(204);
    expect(await slugs()).toEqual([]);
  });

  test("runs actions", async () => {
    const { path } = await create({ ...EDEN, publishedAt: null });
    expect((await send(base(), "GET", path)).status).toBe(404);
    const body = { at: "2026-02-03" };
    expect((await send(base(), "POST", `${path}/publish`, { body })).status).toBe(401);
    expect((await send(base(), "POST", `${path}/publish`, { as: "editor", body: { at: "never" } })).status).toBe(422);
    const published = await send(base(), "POST", `${path}/publish`, { as: "editor", body });
    expect(published).toMatchObject({ status: 200, body: { publishedAt: "2026-02-03" } });
    expect((await send(base(), "GET", path)).status).toBe(200);
    const discount = await send(base(), "POST", "/books/discount", {
      as: "admin",
      body: { genre: "drama", percent: 10 },
    });
    expect(discount).toMatchObject({ status: 200, body: { changed: 0 } });
  });

  test("restricts, cascades and removes links on delete", async () => {
    const { path } = await create();
    const bookId = path.split("/").at(-1);
    await send(base(), "PUT", `${path}/tags/classic`, { as: "admin" });
    const review = { bookId, reviewer: "reader", stars: 4, text: null };
    const { headers } = await send(base(), "POST", "/reviews", { as: "reader", body: review });
    const twice = await send(base(), "POST", "/reviews", { as: "reader", body: review });
    expect(twice).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect(await send(base(), "DELETE", `/authors/${LEM}`, { as: "admin" })).toMatchObject({ status: 409 });
    expect((await send(base(), "DELETE", path, { as: "admin" })).status).toBe(200);
    expect((await send(base(), "GET", headers.get("location") ?? "")).status).toBe(404);
    expect((await send(base(), "DELETE", "/tags/classic", { as: "admin" })).status).toBe(200);
  });

  test("applies rules with filters to each row", async () => {
    const bookId = (await create()).path.split("/").at(-1);
    const review = (reviewer: string) => ({ bookId, reviewer, stars: 3, text: null });
    expect((await send(base(), "POST", "/reviews", { as: "reader", body: review("editor") })).status).toBe(403);
    expect((await send(base(), "POST", "/reviews", { body: review("x") })).status).toBe(401);
    const { headers } = await send(base(), "POST", "/reviews", { as: "reader", body: review("reader") });
    const path = headers.get("location") ?? "";
    expect((await send(base(), "PATCH", path, { as: "editor", body: { stars: 1 } })).status).toBe(403);
    expect((await send(base(), "PATCH", path, { as: "reader", body: { reviewer: "editor" } })).status).toBe(403);
    expect((await send(base(), "PATCH", path, { as: "reader", body: { stars: 1 } })).status).toBe(200);
    expect((await send(base(), "DELETE", path, { as: "admin" })).status).toBe(200);
  });
});
