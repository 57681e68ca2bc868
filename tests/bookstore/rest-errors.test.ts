import { expect, test } from "vitest";
import { onEachStore, send } from "./stores.ts";

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";

onEachStore((base, host) => {
  test.each([
    ["/books?titel=x", "titel"],
    ["/books?filter[titel]=x", "titel"],
    ["/books?filter[cost]=1", "cost"],
    ["/books?filter[title][like]=x", "like"],
    ["/books?filter[price]=cheap", "price"],
    ["/books?filter[author][nam]=x", "nam"],
    ["/books?sort=cost", "cost"],
    ["/books?sort=reviews.stars", "reviews.stars"],
    ["/books?page[size]=0", "size"],
    ["/books?page[size]=101", "size"],
    ["/books?page[size]=5&page[siz]=5", "siz"],
    ["/books?page[after]=nonsense", "after"],
    ["/books?page[after]=a&page[offset]=2", "offset"],
    ["/books?fields=cost", "cost"],
    ["/books?include=publisher", "publisher"],
    ["/books?rel[reviews][sort]=stars", "include=reviews"],
    ["/books?filter[title]=a&filter[title][eq]=b", "title"],
    ["/books?count=yes", "count"],
    ["/books?filter[%ff]=x", host?.recodesQuery === true ? "filtered by" : "UTF-8"],
    ["/books?filter[or]=x", "or"],
    [`${EMMA}?sort=title`, "sort"],
  ])("returns a 400 that names the error for %s", async (path, named) => {
    const { status, body, headers } = await send(base(), "GET", path);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", status: 400 } });
    expect((body as { detail: string }).detail).toContain(named);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("returns the same response for an internal field as for an unknown name", async () => {
    const ask = async (name: string) => {
      const answers = await Promise.all(
        [`filter[${name}]=1`, `sort=${name}`, `fields=${name}`].map((query) => send(base(), "GET", `/books?${query}`)),
      );
      return answers.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(name, "…")]);
    };
    expect(await ask("cost")).toEqual(await ask("cast"));
  });

  test("rejects filters and sorts by fields that the caller cannot read", async () => {
    const filtered = await send(base(), "GET", "/authors?filter[email][startsWith]=j");
    expect(filtered).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await send(base(), "GET", "/books?filter[author.email][startsWith]=j")).status).toBe(403);
    expect((await send(base(), "GET", "/authors?filter[email][startsWith]=j", { as: "reader" })).status).toBe(200);
  });

  test.each([
    ["POST", EMMA, 405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["DELETE", "/authors", 405, "GET, HEAD, QUERY, POST, OPTIONS"],
    ["POST", `${EMMA}/tags`, 405, "GET, HEAD, OPTIONS"],
    ["GET", `${EMMA}/publish`, 405, "POST, OPTIONS"],
  ])("returns for %s %s a %s with the allowed methods", async (method, path, status, allow) => {
    const answer = await send(base(), method, path, { as: "admin" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    expect(answer.body).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });

  test.each([
    ["no body", undefined, "application/json", 400],
    ["bad JSON", "{", "application/json", 400],
    ["a list", "[]", "application/json", 422],
    ["null", "null", "application/json", 422],
    ["a form", "a=b", "application/x-www-form-urlencoded", 415],
    ["another charset", "{}", "application/json; charset=latin1", 415],
    ["nesting without end", "[".repeat(5000) + "]".repeat(5000), "application/json", 400],
    ["a body too large", JSON.stringify({ title: "x".repeat(1_100_000) }), "application/json", 413],
  ])("rejects a body that is %s", async (_what, body, type, status) => {
    const answer = await send(base(), "POST", "/books", {
      as: "admin",
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status });
  });

  test("returns a challenge to an unauthenticated caller", async () => {
    const anonymous = await send(base(), "POST", "/books", { body: {} });
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const wrong = await send(base(), "GET", "/books", { headers: { authorization: "Bearer wrong" } });
    expect(wrong).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect((await send(base(), "GET", "/books", { headers: { authorization: "Token eDp5" } })).status).toBe(401);
    expect((await send(base(), "POST", "/books", { as: "reader", body: {} })).status).toBe(403);
    expect((await send(base(), "GET", "/books", { headers: { "x-api-key": "reader-key-for-tests" } })).status).toBe(
      200,
    );
  });

  test("rejects a format that isn't offered", async () => {
    const answer = await send(base(), "GET", "/books", { headers: { accept: "image/png" } });
    expect(answer).toMatchObject({ status: 406, body: { code: "NOT_ACCEPTABLE" } });
    expect(answer.body).toMatchObject({ detail: expect.stringContaining("text/csv") });
  });

  test("returns 404 for unknown paths", async () => {
    expect((await send(base(), "GET", "/nothing")).status).toBe(404);
    expect((await send(base(), "GET", `${EMMA}/nothing`)).body).toMatchObject({ code: "NOT_FOUND" });
    expect((await send(base(), "GET", "/books/")).status).toBe(404);
  });

  test("serves the OpenAPI document", async () => {
    const { body } = await send(base(), "GET", "/openapi.json");
    expect(body).toMatchObject({ openapi: "3.1.1", info: { title: "Bookstore" } });
    expect(JSON.stringify(body)).not.toContain("cost");
  });
});
