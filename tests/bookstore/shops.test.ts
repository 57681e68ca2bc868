import { expect, test } from "vitest";
import { ask, onEachStore, type Role, send } from "./stores.ts";

/** The editor works in one shop, and the admin in another. */
const SALE = "d0000000-0000-4000-8000-000000000001";
const OTHER_SALE = "d0000000-0000-4000-8000-000000000005";
const BOOK = "b0000000-0000-4000-8000-000000000002";

onEachStore((base) => {
  const sales = async (as: Role): Promise<unknown> =>
    (await send(base(), "GET", "/sales?sort=createdAt&fields=sellerId", { as })).body;

  test("staff reads the sales of its shop, and other callers none", async () => {
    expect(await sales("admin")).toEqual([{ sellerId: "admin" }, { sellerId: "admin" }]);
    expect((await send(base(), "GET", "/sales", { as: "reader" })).status).toBe(403);
    expect((await send(base(), "GET", "/sales")).status).toBe(401);
    expect((await send(base(), "GET", `/sales/${SALE}`, { as: "admin" })).status).toBe(404);
    expect(await ask(base(), `{ sale(id: "${SALE}") { total } }`, { as: "admin" })).toEqual({ data: { sale: null } });
  });

  test("a sale belongs to the shop of its seller, whatever the input contains", async () => {
    const body = { bookId: BOOK, quantity: 2, total: "19.8" };
    const options = { as: "editor" as const };
    const foreign = await send(base(), "POST", "/sales", { ...options, body: { ...body, shopId: "harbor" } });
    expect(foreign.status).toBe(422);
    const { status, body: created } = await send(base(), "POST", "/sales", { ...options, body });
    expect([status, created]).toMatchObject([201, { sellerId: "editor", total: "19.80" }]);
    const { id } = created as { id: string };
    expect((await send(base(), "PATCH", `/sales/${id}`, { as: "admin", body: { quantity: 1 } })).status).toBe(404);
    expect((await send(base(), "DELETE", `/sales/${id}`, options)).status).toBe(405);
    expect((await send(base(), "GET", `/sales/${id}/shop?fields=slug`, options)).body).toEqual({ slug: "old-town" });
  });

  test("the sums of a shop are exact, and contain nothing of other shops", async () => {
    const query =
      "{ salesAggregate(groupBy: [BOOK_GENRE], sort: [SUM_TOTAL_DESC]) { nodes { group { bookGenre } sum { quantity total } } } }";
    expect(await ask(base(), query, { as: "admin" })).toEqual({
      data: {
        salesAggregate: {
          nodes: [
            { group: { bookGenre: "essay" }, sum: { quantity: 10, total: "162.00" } },
            { group: { bookGenre: "novel" }, sum: { quantity: 1, total: "12.50" } },
          ],
        },
      },
    });
    const url = "/shops?fields=slug,revenue&sort=name";
    expect((await send(base(), "GET", url, { as: "admin" })).body).toEqual([
      { slug: "harbor", revenue: "174.50" },
      { slug: "old-town", revenue: null },
    ]);
    expect((await send(base(), "GET", url)).status).toBe(403);
    expect((await send(base(), "GET", "/shops?sort=name")).body).toMatchObject([
      { slug: "harbor" },
      { slug: "old-town" },
    ]);
  });

  test("the history of a sale states who changed it, and is part of its shop", async () => {
    const body = { total: "15" };
    expect((await send(base(), "PATCH", `/sales/${OTHER_SALE}`, { as: "admin", body })).status).toBe(200);
    const changes = [{ field: "total", from: "12.50", to: "15.00" }];
    const url = `/sales/${OTHER_SALE}/history`;
    expect((await send(base(), "GET", url, { as: "admin" })).body).toMatchObject([{ by: "admin", changes }]);
    expect((await send(base(), "GET", url, { as: "editor" })).status).toBe(404);
    const back = await send(base(), "PATCH", `/sales/${OTHER_SALE}`, { as: "admin", body: { total: "12.50" } });
    expect(back.status).toBe(200);
  });

  test("a shop references the tag of its specialty by name", async () => {
    expect(await ask(base(), '{ shop(id: "old-town") { specialty specialtyTag { slug } } }')).toEqual({
      data: { shop: { specialty: "Satire", specialtyTag: { slug: "satire" } } },
    });
    const path = "/shops?filter[specialtyTag.slug]=satire&fields=slug,specialtyTag.name";
    expect((await send(base(), "GET", path)).body).toEqual([{ slug: "old-town", specialtyTag: { name: "Satire" } }]);
    // Otherwise the shop would reference nothing.
    const renamed = await send(base(), "PATCH", "/tags/satire", { as: "editor", body: { name: "Parody" } });
    expect(renamed.status).toBe(409);
  });
});
