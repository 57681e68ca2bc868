import { validate } from "@hyperjump/json-schema/openapi-3-1";
import "@hyperjump/json-schema/draft-2020-12";
import { validate as validate32 } from "@hyperjump/json-schema/openapi-3-2";
import { createBookstore, startBookstore } from "@bifocal/example-bookstore/start";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS, type Role, send } from "../bookstore/stores.ts";
import { createDescribed, type Document } from "./described.ts";

const BASE_SCHEMA = "https://spec.openapis.org/oas/3.1/schema-draft-2020-12";

let store: Awaited<ReturnType<typeof startBookstore>>;
let json: Document;
let all: Document;

beforeAll(async () => {
  store = await startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS });
  // Validating the documents takes longer than the server keeps an idle connection.
  const headers = { connection: "close" };
  json = (await send(store.url, "GET", "/openapi.json", { headers })).body as Document;
  all = (await send(store.url, "GET", "/openapi.json?formats=all", { headers })).body as Document;
});
afterAll(() => store.close());

test.each(["json", "all"])("formats=%s is a valid OpenAPI 3.1 document", async (formats) => {
  const document = formats === "json" ? json : all;
  expect(await validate(BASE_SCHEMA, document as never, "BASIC")).toEqual({ valid: true });
  expect(document.openapi).toMatch(/^3\.1\./);
});

test.each(["json", "all"])("formats=%s lists each value of an enum once", (formats) => {
  let count = 0;
  JSON.stringify(formats === "json" ? json : all, (name, value: unknown) => {
    if (name !== "enum" || !Array.isArray(value)) return value;
    count++;
    expect(value).toEqual([...new Set<unknown>(value)]);
    return value;
  });
  expect(count).toBeGreaterThan(40);
});

test("requires no items of a list in a deepObject, because validators read an absent one as an empty list", () => {
  const found = Object.values(all.paths).flatMap((path) =>
    Object.values(path).flatMap(({ parameters = [] }) => parameters.filter(({ style }) => style === "deepObject")),
  );
  expect(found.filter(({ name }) => name === "having").length).toBeGreaterThan(5);
  expect(JSON.stringify(found)).not.toContain("minItems");
});

test("is a valid OpenAPI 3.2 document with QUERY and event streams", async () => {
  const newer = createBookstore({ keys: KEYS }).api.openapi("", "3.2", "all");
  expect(await validate32("https://spec.openapis.org/oas/3.2/schema-draft-2020-12", newer as never, "BASIC")).toEqual({
    valid: true,
  });
  expect(newer).toMatchObject({
    openapi: "3.2.0",
    paths: {
      "/books": {
        query: { operationId: "queryBooks" },
        get: { responses: { "200": { content: { "text/event-stream": { itemSchema: { type: "object" } } } } } },
      },
    },
  });
});

test.each(["json", "all"])("formats=%s contains every route of the API, and no other", (formats) => {
  const described = Object.entries((formats === "json" ? json : all).paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => /^[a-z]+$/.test(key) && key !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = createBookstore({ keys: KEYS })
    .api.routes.filter(({ path }) => !/^.(graphql|docs|console.*|-.*)$/.test(path))
    // Only JSON:API has these.
    .filter(({ path }) => formats === "all" || !path.includes("/relationships/"))
    .flatMap(({ path, methods }) =>
      // OpenAPI 3.1 cannot describe QUERY.
      methods.filter((method) => !["HEAD", "OPTIONS", "QUERY"].includes(method)).map((method) => `${method} ${path}`),
    );
  expect(described.sort()).toEqual(routes.sort());
});

const AUTHOR = "a0000000-0000-4000-8000-000000000001";
const EMMA = "b0000000-0000-4000-8000-000000000001";

describe("responses match both documents", () => {
  test.each<[method: string, path: string, status: number, as?: Role | undefined, body?: unknown]>([
    ["GET", "/books", 200],
    ["GET", "/books?include=author,reviews,tags&count=true", 200],
    ["GET", `/books/${EMMA}`, 200, "admin"],
    ["GET", `/books/${EMMA}`, 200],
    ["GET", `/authors/${AUTHOR}`, 200],
    ["GET", `/authors/${AUTHOR}`, 200, "reader"],
    ["GET", `/authors/${AUTHOR}/books?sort=-title`, 200],
    ["GET", `/books/${EMMA}/author`, 200],
    ["GET", "/tags", 200],
    ["GET", "/reviews?page[size]=50", 200],
    ["GET", "/books?page[size]=-1", 400],
    ["GET", "/books?nonsense=1", 400],
    ["GET", "/books/none", 404],
    ["POST", "/books", 401, undefined, {}],
    ["POST", "/books", 403, "reader", { title: "x", authorId: AUTHOR, genre: "novel", price: 1 }],
    ["POST", "/books", 422, "editor", { title: "" }],
    ["POST", "/books", 201, "editor", { title: "New", authorId: AUTHOR, genre: "novel", price: 1 }],
    ["PATCH", `/books/${EMMA}`, 200, "editor", { price: 13 }],
    ["PATCH", `/books/${EMMA}`, 422, "editor", { price: "13" }],
    ["DELETE", `/authors/${AUTHOR}`, 409, "admin"],
  ])("%s %s is %i", async (method, path, status, as, body) => {
    const reply = await send(store.url, method, path, { ...(as === undefined ? {} : { as }), body });
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
    const text = reply.body === undefined ? "" : JSON.stringify(reply.body);
    const type = reply.headers.get("content-type");
    const [route = ""] = path.split("?", 1);
    for (const document of [json, all])
      expect(await createDescribed(document)({ method, path: route, status, type, text })).toBeUndefined();
  });

  test("with fields=, the document of all formats", async () => {
    const reply = await send(store.url, "GET", "/books?fields=title");
    const text = JSON.stringify(reply.body);
    const answered = { method: "GET", path: "/books", status: 200, type: "application/json", text };
    expect(await createDescribed(all)(answered)).toBeUndefined();
  });
});
