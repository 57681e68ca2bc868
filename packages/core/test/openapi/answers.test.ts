import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { request } from "../request.ts";
import { createLibrary, NOTE } from "../rest/library.ts";

interface Described {
  readonly $ref?: string;
  readonly headers?: JsonObject;
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Described> }>>>>;

/** Headers that OpenAPI leaves to the media type, and one that every response has. */
const UNSAID = ["Content-Type", "X-Content-Type-Options"];
/** As browsers send it. */
const HTML = { accept: "text/html,*/*;q=0.1" };
const JSON_API = { accept: "application/vnd.api+json" };
const STALE = { "if-match": '"stale"' };
const HAD = { "if-none-match": "*" };
const LENIENT = { prefer: "handling=lenient" };
const MINIMAL = { prefer: "return=minimal" };

test.each<[method: string, template: string, url: string, status: number, headers?: object, body?: unknown]>([
  ["GET", "/", "/", 200],
  ["GET", "/", "/", 200, HTML],
  ["GET", "/", "/", 304, HAD],
  ["GET", "/", "/", 412, STALE],
  ["GET", "/", "/", 406, { accept: "text/nothing" }],
  ["GET", "/openapi.json", "/openapi.json", 200],
  ["GET", "/openapi.json", "/openapi.json", 412, STALE],
  ["GET", "/books", "/books?count=true", 200, LENIENT],
  ["GET", "/books", "/books?count=true", 304, { ...LENIENT, ...HAD }],
  ["GET", "/books", "/books", 200, HTML],
  ["GET", "/books", "/books", 304, { ...HTML, ...HAD }],
  ["GET", "/books", "/books", 200, { accept: "text/csv" }],
  ["GET", "/books", "/books?nothing=1", 400, HTML],
  ["GET", "/books", "/books", 412, STALE],
  ["QUERY", "/books", "/books", 200, LENIENT, { count: true }],
  ["QUERY", "/books", "/books", 304, { ...LENIENT, ...HAD }, { count: true }],
  ["QUERY", "/books", "/books", 412, STALE, {}],
  ["POST", "/books", "/books", 201, MINIMAL, { id: 9, title: "x", price: 1 }],
  ["POST", "/books", "/books", 201, LENIENT, { id: 9, title: "x", price: 1 }],
  ["POST", "/books", "/books", 201, MINIMAL, [{ id: 9, title: "x", price: 1 }]],
  ["POST", "/books", "/books", 201, HTML, { id: 9, title: "x", price: 1 }],
  ["POST", "/books", "/books", 412, STALE, { id: 9, title: "x", price: 1 }],
  ["POST", "/books", "/books", 422, HTML, {}],
  ["PATCH", "/books", "/books?filter[id]=1", 200, LENIENT, { price: 1 }],
  ["PATCH", "/books", "/books?filter[id]=1", 204, MINIMAL, { price: 1 }],
  ["PATCH", "/books", "/books?filter[id]=1", 412, STALE, { price: 1 }],
  ["DELETE", "/books", "/books?filter[id]=1", 200, LENIENT],
  ["DELETE", "/books", "/books?filter[id]=1", 204, MINIMAL],
  ["DELETE", "/books", "/books?filter[id]=1", 412, STALE],
  ["GET", "/books/{id}", "/books/1", 200, LENIENT],
  ["GET", "/books/{id}", "/books/1", 200, HTML],
  ["GET", "/books/{id}", "/books/1", 304, { ...LENIENT, ...HAD }],
  ["GET", "/books/{id}", "/books/1", 412, STALE],
  ["GET", "/books/{id}", "/books/77", 404, HTML],
  ["PATCH", "/books/{id}", "/books/1", 200, LENIENT, { price: 2 }],
  ["PATCH", "/books/{id}", "/books/1", 204, MINIMAL, { price: 2 }],
  ["PATCH", "/books/{id}", "/books/1", 200, HTML, { price: 2 }],
  ["PATCH", "/books/{id}", "/books/1", 412, STALE, { price: 2 }],
  ["PATCH", "/books/{id}", "/books/1", 415, { "content-type": "text/nothing" }, { price: 2 }],
  ["PATCH", "/notes/{id}", `/notes/${NOTE}`, 428, {}, { text: "x" }],
  ["PUT", "/tags/{id}", "/tags/new", 201, MINIMAL, { slug: "new", name: "x", owner: null }],
  ["PUT", "/tags/{id}", "/tags/new", 201, HTML, { slug: "new", name: "x", owner: null }],
  ["PUT", "/tags/{id}", "/tags/old", 204, MINIMAL, { slug: "old", name: "x", owner: null }],
  ["DELETE", "/books/{id}", "/books/1", 200, LENIENT],
  ["DELETE", "/books/{id}", "/books/1", 204, MINIMAL],
  ["DELETE", "/books/{id}", "/books/1", 412, STALE],
  ["GET", "/authors/{id}/books", "/authors/1/books?count=true", 200, LENIENT],
  ["GET", "/authors/{id}/books", "/authors/1/books?count=true", 304, { ...LENIENT, ...HAD }],
  ["GET", "/authors/{id}/books", "/authors/1/books", 412, STALE],
  ["POST", "/authors/{id}/books", "/authors/1/books", 201, MINIMAL, { id: 9, title: "x", price: 1 }],
  ["POST", "/authors/{id}/books", "/authors/1/books", 201, HTML, { id: 9, title: "x", price: 1 }],
  ["POST", "/authors/{id}/books", "/authors/1/books", 412, STALE, { id: 9, title: "x", price: 1 }],
  ["GET", "/books/{id}/author", "/books/1/author", 200, LENIENT],
  ["GET", "/books/{id}/author", "/books/1/author", 304, { ...LENIENT, ...HAD }],
  ["GET", "/books/{id}/author", "/books/1/author", 412, STALE],
  ["PUT", "/books/{id}/tags/{tagId}", "/books/1/tags/old", 204, LENIENT],
  ["PUT", "/books/{id}/tags/{tagId}", "/books/1/tags/old", 412, STALE],
  ["PUT", "/books/{id}/tags/{tagId}", "/books/77/tags/old", 404, HTML],
  ["DELETE", "/books/{id}/tags/{tagId}", "/books/1/tags/old", 412, STALE],
  ["GET", "/books/{id}/relationships/tags", "/books/1/relationships/tags?count=true", 200, JSON_API],
  ["GET", "/books/{id}/relationships/tags", "/books/1/relationships/tags", 304, { ...JSON_API, ...HAD }],
  ["GET", "/books/{id}/relationships/author", "/books/1/relationships/author", 304, { ...JSON_API, ...HAD }],
  ["POST", "/books/{id}/relationships/tags", "/books/1/relationships/tags", 412, { ...JSON_API, ...STALE }],
  ["POST", "/books/{id}/double", "/books/1/double", 200, LENIENT],
  ["POST", "/books/{id}/double", "/books/1/double", 200, HTML],
  ["POST", "/books/{id}/double", "/books/1/double", 204, MINIMAL],
  ["POST", "/books/{id}/double", "/books/1/double", 412, STALE],
  ["POST", "/books/count", "/books/count", 200, { ...LENIENT, authorization: "Bearer ann" }],
  ["POST", "/books/count", "/books/count", 401, HTML],
  ["POST", "/books/count", "/books/count", 412, { ...STALE, authorization: "Bearer ann" }],
])("%s %s (%s) returns a %i with the documented headers", async (method, template, url, status, headers, body) => {
  const api = createLibrary();
  const answer = await api.handle(request(method, url, { headers: { ...headers }, body }));
  expect(answer?.status).toBe(status);
  const { paths, components } = api.openapi("", "3.2", "all") as unknown as {
    readonly paths: Paths;
    readonly components: { readonly responses: Readonly<Record<string, Described>> };
  };
  const told = paths[template]?.[method.toLowerCase()]?.responses[status];
  const name = told?.$ref?.split("/").at(-1);
  const described = name === undefined ? told : components.responses[name];
  expect(Object.keys(described?.headers ?? {})).toEqual(
    expect.arrayContaining(Object.keys(answer?.headers ?? {}).filter((one) => !UNSAID.includes(one))),
  );
});
