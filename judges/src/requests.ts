import { ADMIN } from "./bookstore.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const AUSTEN = "/authors/a0000000-0000-4000-8000-000000000001";
const AUTHOR = "a0000000-0000-4000-8000-000000000001";
const admin = { authorization: `Bearer ${ADMIN}` };
const JSON_API = "application/vnd.api+json";
// Requests problems as JSON, for the same reason as lists below.
const linkage = { "content-type": JSON_API, accept: `${JSON_API};q=0.5, application/problem+json` };
const book = { title: "Judged", authorId: AUTHOR, genre: "essay", price: 9.5 };

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Sent {
  if (body === undefined) return { method, path, headers: { ...admin, ...headers } };
  const type = { "content-type": "application/json" };
  return { method, path, headers: { ...type, ...admin, ...headers }, body: JSON.stringify(body) };
}

const anonymous = (method: string, path: string, headers: Record<string, string> = {}): Sent => ({
  method,
  path,
  headers,
});
const ACCEPTED = [
  "application/json",
  "text/csv",
  "application/x-ndjson",
  "application/xml",
  "application/hal+json",
  "application/vnd.api+json",
  "text/html",
];

/**
 * Every operation of the bookstore, valid and invalid, in every format. A create with a 201 without content is
 * omitted, because OpenAPI cannot describe optional content.
 */
export const REQUESTS: readonly Sent[] = [
  ...["/", "/openapi.json", "/books", "/authors", "/reviews", "/tags", EMMA, AUSTEN, "/tags/classic"].map((path) =>
    send("GET", path),
  ),
  ...["/books", "/authors", EMMA, AUSTEN].map((path) => anonymous("GET", path)),
  // Prism treats every type that ends with +json as the first described JSON type, so it would reject lists in other
  // types.
  ...ACCEPTED.filter((type) => !type.endsWith("+json")).flatMap((accept) =>
    ["/books", `${AUSTEN}/books`].map((path) => send("GET", path, undefined, { accept })),
  ),
  ...ACCEPTED.filter((type) => !/csv|ndjson/.test(type)).flatMap((accept) =>
    [EMMA, `${EMMA}/author`].map((path) => send("GET", path, undefined, { accept })),
  ),
  ...[
    "?filter[title][icontains]=e&sort=-price,title&count=true",
    "?filter[price][gte]=10&filter[price][lte]=20&page[size]=2",
    "?filter[genre][in]=novel&filter[genre][in]=poem",
    "?filter[publishedAt][isNull]=true",
    "?fields=id,title,author.name&include=reviews,tags",
    "?include=author&rel[reviews][page][size]=1&fields=title,reviews.stars",
    "?page[offset]=3&page[size]=3",
    "?sort=nothing",
    "?nothing=1",
    "?page[size]=-1",
    "?page[after]=nothing",
    "?filter[price][gte]=ten",
  ].map((query) => send("GET", `/books${query}`)),
  send("GET", "/books", undefined, { prefer: "handling=lenient" }),
  send("GET", EMMA, undefined, { "if-none-match": "*" }),
  send("GET", EMMA, undefined, { "if-match": '"other"' }),
  send("GET", EMMA, undefined, { accept: "image/png" }),
  ...["reviews", "tags", "author"].map((name) => send("GET", `${EMMA}/${name}`)),
  send("GET", "/books/no-such-book"),
  send("GET", `${AUSTEN}/books?sort=-price&count=true`),
  anonymous("POST", "/books", { "content-type": "application/json" }),
  anonymous("GET", "/books", { authorization: "Bearer wrong" }),
  send("POST", "/books", book),
  send("POST", "/books", book, { "idempotency-key": '"judge-1"' }),
  send("POST", "/books", book, { "idempotency-key": '"judge-1"' }),
  send("POST", "/books", { ...book, price: 1 }, { "idempotency-key": '"judge-1"' }),
  send("POST", "/books", [book, { ...book, title: "Judged too" }]),
  send("POST", "/books", [book, { title: "" }]),
  send("POST", "/books", { title: "" }),
  send("POST", "/books", { ...book, nothing: 1 }),
  send("POST", "/books", { ...book, authorId: "a0000000-0000-4000-8000-00000000ffff" }),
  send("POST", `${AUSTEN}/books`, { title: "Inside", genre: "novel", price: 1 }),
  send(
    "POST",
    "/books",
    {
      data: {
        type: "books",
        attributes: { title: "API", genre: "novel", price: 1 },
        relationships: { author: { data: { type: "authors", id: AUTHOR } } },
      },
    },
    { "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" },
  ),
  ...["author", "tags", "reviews"].map((name) =>
    send("GET", `${EMMA}/relationships/${name}`, undefined, { accept: JSON_API }),
  ),
  send("GET", `${EMMA}/relationships/author`, undefined, { accept: "application/json" }),
  send("POST", `${EMMA}/relationships/tags`, { data: [{ type: "tags", id: "classic" }] }, linkage),
  send("POST", `${EMMA}/relationships/tags`, { data: [{ type: "tags", id: "nothing" }] }, linkage),
  send("DELETE", `${EMMA}/relationships/tags`, { data: [{ type: "tags", id: "classic" }] }, linkage),
  send("PATCH", `${EMMA}/relationships/author`, { data: { type: "authors", id: AUTHOR } }, linkage),
  send("PATCH", `${EMMA}/relationships/author`, { data: null }, linkage),
  send("PATCH", EMMA, { price: 13 }),
  send("PATCH", EMMA, { price: 14 }, { "content-type": "application/merge-patch+json", prefer: "return=minimal" }),
  send(
    "PATCH",
    EMMA,
    [
      { op: "test", path: "/price", value: 14 },
      { op: "replace", path: "/price", value: 12.5 },
    ],
    { "content-type": "application/json-patch+json" },
  ),
  send("PATCH", EMMA, [{ op: "test", path: "/price", value: 0 }], { "content-type": "application/json-patch+json" }),
  send("PATCH", EMMA, { price: -1 }),
  send("PATCH", EMMA, { price: 1 }, { "if-match": '"other"' }),
  send("PATCH", "/books?filter[title]=Judged", { price: 8 }),
  send("PATCH", "/books?filter[title]=Judged", { price: 7 }, { prefer: "return=representation" }),
  send("PATCH", "/books", { price: 7 }),
  send("PUT", EMMA, { title: "Emma", authorId: AUTHOR, genre: "novel", price: 12.5, publishedAt: "1815-12-23" }),
  send("PUT", EMMA, { title: "Emma" }),
  send("PUT", "/tags/judged", { slug: "judged", name: "Judged" }, { "if-none-match": "*" }),
  send("PUT", "/tags/judged", { slug: "judged", name: "Judged" }, { "if-none-match": "*" }),
  send("PUT", "/tags/judged", { slug: "judged", name: "Judged again" }),
  send("PUT", `${EMMA}/tags/judged`),
  send("DELETE", `${EMMA}/tags/judged`),
  send("DELETE", "/tags/judged"),
  send("DELETE", "/tags/judged"),
  send("POST", `${EMMA}/publish`, { at: "2026-01-01" }),
  send("POST", `${EMMA}/publish`, { at: "soon" }),
  send("POST", "/books/discount", { genre: "drama", percent: 10 }),
  send("DELETE", "/books?filter[title]=Judged"),
  send("DELETE", "/books?filter[title]=Judged%20too", undefined, { prefer: "return=minimal" }),
  send("DELETE", "/books"),
  send("DELETE", AUSTEN),
];
