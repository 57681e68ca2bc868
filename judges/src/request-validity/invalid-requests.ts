import type { Sent } from "../requests.ts";
import { IDS, MEDIA, request } from "./valid-requests.ts";

const ITEMS = [
  ["/authors", IDS.author, "name"],
  ["/books", IDS.book, "title"],
  ["/reviews", "c0000000-0000-4000-8000-000000000001", "stars"],
  ["/tags", "classic", "name"],
  ["/users", "nobody", "name"],
] as const;
const book = `/books/${IDS.book}`;
const withoutData = {};
const withText = { data: "classic" };

/** Requests that Prism and the API must both call invalid: at least one for every operation with a request body. */
export const INVALID_REQUESTS: readonly Sent[] = [
  ...ITEMS.flatMap(([path, id, field]) => [
    request("GET", `${path}?page[size]=0`),
    request("GET", `${path}?page[size]=many`),
    request("GET", `${path}?sort=nothing`),
    request("GET", `${path}?count=perhaps`),
    request("POST", path, { [field]: {} }),
    request("POST", path, {}),
    request("POST", path, "text"),
    request("POST", path, [], {}, MEDIA.jsonApi),
    request("PUT", `${path}/${id}`, { [field]: {} }),
    request("PATCH", `${path}/${id}`, { [field]: {} }),
    request("PATCH", `${path}/${id}`, { [field]: {} }, {}, MEDIA.mergePatch),
    request("PATCH", `${path}/${id}`, [{ op: "rename", path: `/${field}` }], {}, MEDIA.jsonPatch),
    request("PATCH", `${path}/${id}`, { op: "replace" }, {}, MEDIA.jsonPatch),
    request("PATCH", `${path}/${id}`, [], {}, MEDIA.jsonApi),
    request("PUT", `${path}/${id}`, [], {}, MEDIA.jsonApi),
    request("POST", path, "a=b", {}, "text/plain"),
  ]),
  // Operations that every caller is denied are left out of the API.
  request("POST", "/api-keys", { id: "k", name: "Key", principalId: "admin", roles: [], scopes: [] }),
  request("PUT", "/api-keys/none", { name: "Key" }),
  request("PATCH", "/api-keys/none", { name: "Key" }),
  request("DELETE", "/api-keys/none"),
  request("GET", "/books/aggregate?aggregate=sum.title"),
  request("GET", "/books/trending?year=soon"),
  request("GET", "/sales?sort=nothing"),
  request("GET", "/sales/aggregate?aggregate=count&group=shopId"),
  request("POST", "/sales", { bookId: IDS.book, quantity: 0, total: "9.00" }),
  request("POST", "/sales", { bookId: IDS.book, quantity: 1, total: 9 }),
  request("PATCH", `/sales/${IDS.book}`, { quantity: 0 }),
  request("GET", "/books?filter[price][gte]=ten"),
  request("GET", "/books?filter[genre][eq]=cookery"),
  request("GET", "/books?filter[publishedAt][isNull]=perhaps"),
  request("GET", "/books?page[offset]=-1"),
  request("POST", "/books", { title: "", authorId: IDS.author, genre: "novel", price: 1 }),
  request("POST", "/books", { title: "x".repeat(301), authorId: IDS.author, genre: "novel", price: 1 }),
  request("POST", "/books", { title: "x", authorId: IDS.author, genre: "cookery", price: 1 }),
  request("POST", "/books", { title: "x", authorId: IDS.author, genre: "novel", price: 10_001 }),
  request("POST", "/books", { title: "x", authorId: IDS.author, genre: "novel", price: 1, nothing: 1 }),
  request(
    "POST",
    "/books",
    { title: "x", authorId: IDS.author, genre: "novel", price: 1 },
    { "idempotency-key": "k".repeat(300) },
  ),
  request("PATCH", "/books?filter[title]=nothing", { price: "1" }),
  request("PATCH", "/books?filter[title]=nothing", { price: "1" }, {}, MEDIA.mergePatch),
  request("POST", `/authors/${IDS.author}/books`, { title: 1 }),
  request("POST", `/authors/${IDS.author}/books`, [], {}, MEDIA.jsonApi),
  request("POST", `${book}/reviews`, { stars: "many" }),
  request("POST", `${book}/reviews`, [], {}, MEDIA.jsonApi),
  request("POST", `${book}/publish`, { at: "soon" }),
  request("POST", "/books/discount", { genre: "drama", percent: 91 }),
  ...[withoutData, withText].flatMap((body) => [
    request("PATCH", `${book}/relationships/author`, body, {}, MEDIA.jsonApi),
    request("PATCH", `/reviews/${ITEMS[2][1]}/relationships/book`, body, {}, MEDIA.jsonApi),
    request("PATCH", `/sales/${IDS.book}/relationships/book`, body, {}, MEDIA.jsonApi),
    request("PATCH", "/users/reader/relationships/shop", body, {}, MEDIA.jsonApi),
    request("PATCH", `${book}/relationships/tags`, body, {}, MEDIA.jsonApi),
    ...["POST", "DELETE"].flatMap((method) => [
      request(method, `${book}/relationships/tags`, body, {}, MEDIA.jsonApi),
      request(method, "/tags/classic/relationships/books", body, {}, MEDIA.jsonApi),
    ]),
  ]),
];
