import linkHeader from "http-link-header";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, computed, defineApi, defineResource, deny, hasRole, memoryStore } from "../../src/index.ts";
import { answerText } from "../answer.ts";

const admin = { authorization: "admin" };

function createApi(access: typeof allow | ReturnType<typeof hasRole>) {
  const genre = defineResource("genre", {
    fields: { id: z.int32(), name: z.string().nullable() },
    relations: { parent: belongsTo("genre", "id") },
    access: { read: allow, create: deny, update: deny, delete: deny },
    actions: { reset: { on: "item", access, run: () => null }, refill: { on: "collection", access, run: () => null } },
    cache: { public: true, maxAge: 60 },
    filterable: ["name"],
    bulk: {},
  });
  return defineApi({
    resources: [genre],
    store: memoryStore({ data: { genre: [{ id: 1, name: null }] } }),
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => (headers["authorization"] === "admin" ? { id: "1", roles: ["admin"] } : null),
    },
  });
}

const SHARED = ["public, max-age=60", "Accept"];
const OWN = ["private, no-cache", "Accept, Authorization"];

test.each(["/genres", "/genres/1"])("marks a page with the caller's permissions as private: %s", async (url) => {
  const get = async (access: Parameters<typeof createApi>[0], accept: string, headers = {}) => {
    const answer = await answerText(createApi(access), "GET", url, { headers: { accept, ...headers } });
    return [answer.headers["Cache-Control"], answer.headers["Vary"]];
  };
  expect(await get(hasRole("admin"), "text/html", admin)).toEqual(OWN);
  expect(await get(hasRole("admin"), "text/html")).toEqual(OWN);
  // Pages show the caller. The rows alone are the same for all callers.
  expect(await get(allow, "text/html", admin)).toEqual(OWN);
  expect(await get(hasRole("admin"), "application/json", admin)).toEqual(SHARED);
});

test.each(["text/csv", "application/x-ndjson"])(
  "marks a whole list as private if a computed field may depend on the caller: %s",
  async (accept) => {
    const author = defineResource("author", {
      fields: { id: z.int32() },
      computed: {
        reader: computed(z.string(), {
          from: ["id"],
          load: (rows, { principal }) => rows.map(() => principal?.id ?? "nobody"),
        }),
      },
      access: { read: allow, create: deny, update: deny, delete: deny },
    });
    const book = defineResource("book", {
      fields: { id: z.int32(), authorId: z.int32().nullable() },
      relations: { author: belongsTo("author", "authorId") },
      access: { read: allow, create: deny, update: deny, delete: deny },
      cache: { public: true, maxAge: 60 },
    });
    // The first batches have no author.
    const rows = (length: number) =>
      Array.from({ length }, (_, id) => ({ id, authorId: id === length - 1 ? 1 : null }));
    const read = async (length: number, url: string) => {
      const api = defineApi({
        resources: [author, book],
        store: memoryStore({ data: { author: [{ id: 1 }], book: rows(length) } }),
        auth: {
          challenge: "Bearer",
          schemes: { bearer: { type: "http", scheme: "bearer" } },
          authenticate: ({ headers }) => (headers["authorization"] === "admin" ? { id: "ann" } : null),
        },
      });
      const { headers, text } = await answerText(api, "GET", url, { headers: { accept, ...admin } });
      return [[headers["Cache-Control"], headers["Vary"]], text.includes("ann")];
    };
    expect(await read(1_100, "/books?include=author&fields=id,author.reader")).toEqual([OWN, true]);
    expect(await read(100, "/books?include=author&fields=id,author.reader")).toEqual([OWN, true]);
    expect(await read(1_100, "/books?include=author&fields=id,author.id")).toEqual([SHARED, false]);
    expect(await read(1_100, "/books")).toEqual([SHARED, false]);
  },
);

test("varies by Prefer if the request asks for lenient handling (RFC 7240 §2)", async () => {
  const get = (url: string, headers = {}) => answerText(createApi(allow), "GET", url, { headers });
  const lenient = await get("/genres?foo=1", { prefer: "handling=lenient" });
  expect([lenient.status, lenient.headers["Vary"]]).toEqual([200, "Accept, Prefer"]);
  expect((await get("/genres")).headers["Vary"]).toBe("Accept");
});

test("escapes a query so that it cannot end a link (RFC 8288 §3)", async () => {
  const { headers } = await answerText(
    createApi(allow),
    "GET",
    '/genres?filter[name]=x>;rel="next",<http://evil/&p%61ge[offset]=1&page[size]=1',
  );
  const links = linkHeader.parse(headers["Link"] as string);
  expect(links.refs.map(({ rel }) => rel)).toEqual(["first", "prev"]);
  expect(links.refs.every(({ uri }) => uri.startsWith("/genres?"))).toBe(true);
  expect(links.rel("prev")[0]?.uri.match(/offset/g)).toHaveLength(1);
});

test("writes no empty line in a table (RFC 4180 §2)", async () => {
  const answer = await answerText(createApi(allow), "GET", "/genres?fields=name", { headers: { accept: "text/csv" } });
  expect(answer.text).toBe('name\r\n""\r\n');
});
