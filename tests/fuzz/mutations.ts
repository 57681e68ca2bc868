import fc from "fast-check";
import { KEYS } from "../bookstore/stores.ts";
import type { Sent } from "./send.ts";

/** Changes one part of a request. */
export type Mutation = (sent: Sent) => Sent;

/** Percent-encodes the characters that a URL cannot contain. */
const urlSafe = (text: string): string => text.replaceAll(/[^\x21-\x7e]|#/gu, encodeURIComponent);
const hostile = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e999",
    "null",
    "__proto__",
    "%00",
    "%",
    "%ff",
    "..",
    ".",
    "//",
    "'",
    '"',
    "\\",
    "*",
    "{}",
    "[]",
  ),
  fc.constantFrom(
    "9".repeat(400),
    "a".repeat(3_000),
    "%F0%9F%98%80",
    "2026-02-30",
    "constructor",
    "%2e%2e",
    "%2F",
    ";",
    ",",
    "1,2",
  ),
  fc
    .string({ maxLength: 8, unit: "grapheme" })
    .filter((text) => text.isWellFormed())
    .map(urlSafe),
);

const segments = fc.tuple(fc.nat(5), hostile, fc.constantFrom("replace", "insert", "remove")).map(
  ([at, text, how]): Mutation =>
    (sent) => {
      const parts = sent.path.slice(1).split("/");
      const place = at % parts.length;
      parts.splice(place, how === "insert" ? 0 : 1, ...(how === "remove" ? [] : [text]));
      return { ...sent, path: `/${parts.join("/")}` };
    },
);

const name = fc.constantFrom(
  "filter",
  "sort",
  "fields",
  "include",
  "rel",
  "page",
  "count",
  "filtr",
  "__proto__",
  "initial",
  "query",
  "operationId",
);
const inside = fc.constantFrom(
  "size",
  "after",
  "before",
  "offset",
  "title",
  "id",
  "and",
  "0",
  "some",
  "eq",
  "in",
  "__proto__",
  "books",
  "author",
  "name",
);
const value = fc.oneof(hostile, fc.constantFrom("1", "true", "title", "-name", "author.name", "books", "author", "id"));
const parameter = fc
  .tuple(name, fc.array(inside, { maxLength: 3 }), value)
  .map(([first, path, text]) => `${first}${path.map((part) => `[${part}]`).join("")}=${text}`);
const queries = fc.array(fc.oneof(parameter, parameter, hostile), { minLength: 1, maxLength: 3 }).map(
  (parts): Mutation =>
    (sent) => ({ ...sent, query: [sent.query, ...parts].filter((part) => part !== "").join("&") }),
);

export const FORMATS = [
  "application/json",
  "application/x-ndjson",
  "text/csv",
  "application/xml",
  "application/hal+json",
  "application/vnd.api+json",
  "text/html",
  "text/event-stream",
  "application/problem+json",
  "application/graphql-response+json",
  "multipart/mixed",
] as const;
const latin = fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^\t\x20-\x7e]/gu, ""));
const header = fc.oneof(
  fc.tuple(fc.constant("accept"), fc.oneof(fc.constantFrom(...FORMATS, "*/*;q=0", ";;,,q"), latin)),
  fc.tuple(
    fc.constant("content-type"),
    fc.oneof(
      fc.constantFrom(
        "application/merge-patch+json",
        "application/json-patch+json",
        "application/vnd.api+json",
        "text/plain",
      ),
      fc.constantFrom(
        "application/json; charset=utf-16",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "",
      ),
      latin,
    ),
  ),
  fc.tuple(
    fc.constant("authorization"),
    fc.oneof(fc.constantFrom(`Bearer ${KEYS.reader}`, "Bearer", "Basic x", "Bearer x"), latin),
  ),
  fc.tuple(
    fc.constantFrom("if-match", "if-none-match"),
    fc.oneof(fc.constantFrom("*", '"x"', 'W/"x"', '"', ","), latin),
  ),
  fc.tuple(
    fc.constantFrom(
      "prefer",
      "idempotency-key",
      "last-event-id",
      "origin",
      "content-encoding",
      "x-api-key",
      "cookie",
      "x-graphql-event-stream-token",
    ),
    latin,
  ),
  fc.tuple(fc.constant("prefer"), fc.constantFrom("return=minimal", "return=representation", "handling=lenient")),
);
const headers = header.map(
  ([key, text]): Mutation =>
    (sent) => ({ ...sent, headers: { ...sent.headers, [key]: text } }),
);

const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostile,
    fc.double(),
    fc.constantFrom(null, true, 1, "novel", "2026-01-01"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom("id", "title", "name", "data", "type", "__proto__", "op", "path", "query", "variables"),
      tie("value"),
      { maxKeys: 3 },
    ),
  ),
})).value;
const bodies = fc.oneof(
  // Changes one member of the body.
  fc.tuple(fc.nat(9), json).map(
    ([at, text]): Mutation =>
      (sent) => {
        const members = Object.entries(sent.body === "" ? {} : (JSON.parse(sent.body) as object));
        const [key = "name"] = members[at % Math.max(1, members.length)] ?? [];
        return { ...sent, body: JSON.stringify(Object.fromEntries([...members, [key, text]])) };
      },
  ),
  json.map(
    (given): Mutation =>
      (sent) => ({ ...sent, body: JSON.stringify(given) ?? "" }),
  ),
  fc.string({ unit: "binary" }).map(
    (body): Mutation =>
      (sent) => ({ ...sent, body }),
  ),
  fc.nat(100).map(
    (n): Mutation =>
      (sent) => ({ ...sent, body: sent.body.slice(0, n) }),
  ),
);

const methods = fc
  .constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY", "PROPFIND", "TRACE", "M-SEARCH")
  .map(
    (method): Mutation =>
      (sent) => ({ ...sent, method }),
  );

/** Returns true once in `n + 1` calls. */
const seldom = (mutation: fc.Arbitrary<Mutation>, n: number): fc.Arbitrary<Mutation | undefined> =>
  fc.oneof({ weight: n, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: mutation });

/** At most one mutation per part, so that a body is still JSON when it is changed. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc
  .tuple(
    seldom(bodies, 3),
    seldom(segments, 4),
    seldom(queries, 3),
    seldom(headers, 1),
    seldom(headers, 3),
    seldom(methods, 8),
  )
  .map((all) => all.filter((one) => one !== undefined));
