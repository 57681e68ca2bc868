import linkHeader from "http-link-header";
import { parseDictionary, parseItem } from "structured-headers";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeyResource,
  apiKeys,
  type Authenticator,
  belongsTo,
  defineApi,
  defineResource,
  memoryStore,
  silentLog,
} from "../../src/index.ts";
import { ask, request, send } from "../request.ts";
import { createLibrary } from "./library.ts";

describe("Prefer (RFC 7240)", () => {
  test.each<[string, string, string, number, string | undefined]>([
    ["POST", "/books", "return=minimal", 201, "return=minimal"],
    ["POST", "/books", "return=representation", 201, "return=representation"],
    ["POST", "/books", 'RETURN="minimal"; foo=bar, wait=10', 201, "return=minimal"],
    ["POST", "/books", "return=minimal, return=representation", 201, "return=minimal"],
    ["PATCH", "/books/1", "return=minimal", 204, "return=minimal"],
    ["PATCH", "/books/1", "return=representation", 200, "return=representation"],
    ["PUT", "/tags/old", "return=minimal", 204, "return=minimal"],
    ["DELETE", "/books/1", "return=minimal", 204, "return=minimal"],
    ["DELETE", "/books/1", "return=representation", 200, undefined],
    ["DELETE", "/books?filter[id]=1", "return=representation", 200, undefined],
    ["DELETE", "/books?filter[id]=1", "return=minimal", 204, "return=minimal"],
    ["POST", "/books/1/double", "return=minimal", 204, "return=minimal"],
    ["POST", "/books", "respond-async, unknown=1", 201, undefined],
    ["POST", "/books", 'foo="a, return=minimal, b"', 201, undefined],
    ["POST", "/books", 'foo="a\\", return=minimal; ", return = "minimal" ; b=c', 201, "return=minimal"],
    ["POST", "/books", 'foo="; return=minimal", return=minimal', 201, "return=minimal"],
  ])("%s %s by %s", async (method, url, prefer, status, applied) => {
    const bodies: Record<string, unknown> = {
      POST: url === "/books" ? { id: 9, title: "x", price: 1 } : undefined,
      PATCH: { price: 2 },
      PUT: { slug: "old", name: "x", owner: null },
    };
    const answer = await send(createLibrary(), method, url, { body: bodies[method], headers: { prefer } });
    expect([answer.status, answer.headers["Preference-Applied"]]).toEqual([status, applied]);
    expect(answer.body === null).toBe(applied === "return=minimal");
  });

  test("includes the ETag in a minimal response to a create", async () => {
    const api = createLibrary();
    const body = { id: 9, title: "x", price: 1 };
    const { headers } = await send(api, "POST", "/books", { body, headers: { prefer: "return=minimal" } });
    expect(headers["ETag"]).toBe((await send(api, "GET", "/books/9")).headers["ETag"]);
  });

  test("handling=lenient ignores unknown parameters; strict and the default reject them", async () => {
    const api = createLibrary();
    const get = (url: string, prefer?: string): ReturnType<typeof send> =>
      send(api, "GET", url, { headers: prefer === undefined ? {} : { prefer } });
    expect((await get("/books?utm_source=x")).status).toBe(400);
    expect((await get("/books?utm_source=x", "handling=strict")).status).toBe(400);
    const lenient = await get("/books?utm_source=x&page[size]=1", "handling=lenient");
    expect([lenient.status, lenient.headers["Preference-Applied"]]).toEqual([200, "handling=lenient"]);
    expect(lenient.body).toHaveLength(1);
    // An invalid value of a known parameter is still an error.
    expect((await get("/books?sort=nope", "handling=lenient")).status).toBe(400);
  });
});

describe("deprecation (RFC 9745, RFC 8594)", () => {
  const changes = "https://example.com/changes";
  const old = defineResource("old", {
    fields: {
      id: z.int32(),
      name: z.string(),
      nick: z
        .string()
        .nullable()
        .meta({ deprecated: true, deprecation: { reason: "Use name.", since: "2026-02-01", link: changes } }),
      goneId: z
        .int32()
        .nullable()
        .default(null)
        .meta({ deprecation: { since: "2026-02-01" } }),
    },
    relations: { gone: belongsTo("gone", "goneId") },
    access: { read: allow, create: allow, update: allow, delete: allow },
    filterable: ["nick"],
    sortable: ["nick"],
    actions: {
      poke: {
        on: "item",
        access: allow,
        run: () => null,
        deprecated: { since: "2026-01-01", sunset: "2027-01-01T12:00:00Z", link: changes },
      },
      prod: { on: "item", access: allow, run: () => null, deprecated: "Use poke." },
    },
  });
  const gone = defineResource("gone", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    deprecated: { reason: "Use old.", since: "2026-03-01", sunset: "2026-12-31" },
  });
  const api = defineApi({
    resources: [old, gone],
    store: memoryStore({ data: { old: [{ id: 1, name: "a", nick: "b", goneId: null }], gone: [{ id: 1 }] } }),
  });
  const at = (date: string): number => Date.parse(date) / 1_000;

  test.each<[string, string, unknown, number | undefined]>([
    ["GET", "/gones", undefined, at("2026-03-01")],
    ["GET", "/gones/1", undefined, at("2026-03-01")],
    ["GET", "/olds", undefined, undefined],
    ["GET", "/olds?fields=name", undefined, undefined],
    ["GET", "/olds?fields=name,nick", undefined, at("2026-02-01")],
    ["GET", "/olds?sort=-nick", undefined, at("2026-02-01")],
    ["GET", "/olds?filter[nick]=b", undefined, at("2026-02-01")],
    ["GET", "/olds?filter[or][0][nick]=b", undefined, at("2026-02-01")],
    ["QUERY", "/olds", { filter: { not: { nick: "b" } } }, at("2026-02-01")],
    ["QUERY", "/olds", { fields: ["nick"] }, at("2026-02-01")],
    ["QUERY", "/olds", { fields: ["name"] }, undefined],
    ["PATCH", "/olds/1", { nick: "c" }, at("2026-02-01")],
    ["PATCH", "/olds/1", { name: "c" }, undefined],
    ["POST", "/olds/1/poke", undefined, at("2026-01-01")],
    ["POST", "/olds/1/prod", undefined, 0],
  ])("%s %s", async (method, url, body, since) => {
    const { headers } = await send(api, method, url, { body });
    const said = headers["Deprecation"];
    const date = said === undefined ? undefined : (parseItem(said)[0] as Date).getTime() / 1_000;
    expect(date).toBe(since);
  });

  test.each<[string, string, string, unknown]>([
    ["PATCH", "/olds/1", "application/json-patch+json", [{ op: "replace", path: "/nick", value: "d" }]],
    ["PATCH", "/olds/1", "application/vnd.api+json", { data: { type: "olds", id: "1", attributes: { nick: "e" } } }],
    [
      "PATCH",
      "/olds/1",
      "application/vnd.api+json",
      { data: { type: "olds", id: "1", relationships: { gone: { data: { type: "gones", id: "1" } } } } },
    ],
    ["GET", "/olds?fields[olds]=nick", "application/vnd.api+json", undefined],
  ])("%s %s as %s", async (method, url, type, body) => {
    const { headers } = await send(api, method, url, {
      body,
      headers: method === "GET" ? { accept: type } : { "content-type": type },
    });
    expect(headers["Deprecation"]).toBe(`@${at("2026-02-01")}`);
  });

  test("sends the headers again in a replayed response", async () => {
    const parts = { body: { nick: "f" }, headers: { "idempotency-key": "k" } };
    const first = await send(api, "PATCH", "/olds/1", parts);
    const again = await send(api, "PATCH", "/olds/1", parts);
    expect(first.headers).toMatchObject({ Deprecation: `@${at("2026-02-01")}`, Link: expect.any(String) });
    expect(again.headers).toEqual({ ...first.headers, "Idempotent-Replayed": "true" });
  });

  test("sends Sunset as an HTTP date, and links to details", async () => {
    const { headers } = await send(api, "POST", "/olds/1/poke");
    expect(headers["Sunset"]).toBe("Fri, 01 Jan 2027 12:00:00 GMT");
    const links = linkHeader.parse(headers["Link"] as string);
    expect(links.rel("deprecation")[0]?.uri).toBe(changes);
    expect(links.rel("sunset")[0]?.uri).toBe(changes);
    const list = linkHeader.parse((await send(api, "GET", "/olds?sort=nick")).headers["Link"] as string);
    expect([list.has("rel", "first"), list.has("rel", "deprecation")]).toEqual([true, true]);
  });

  test("appears in both schemas", async () => {
    const { data } = await ask(
      api,
      `{ __type(name: "Old") { fields(includeDeprecated: true) { name deprecationReason } }
         __schema { mutationType { fields(includeDeprecated: true) { name deprecationReason } } } }`,
    );
    expect(JSON.stringify(data)).toContain('{"name":"nick","deprecationReason":"Use name."}');
    expect(JSON.stringify(data)).toContain('{"name":"prodOld","deprecationReason":"Use poke."}');
    expect(JSON.stringify(data)).toContain('{"name":"createGone","deprecationReason":"Use old."}');
    const { paths } = api.openapi("", "3.1", "all") as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };
    expect(paths["/gones"]?.["get"]?.deprecated).toBe(true);
    expect(paths["/olds/{id}/poke"]?.["post"]?.deprecated).toBe(true);
    expect(paths["/olds"]?.["get"]?.deprecated).toBeUndefined();
  });

  test("lists the headers in the document", () => {
    type Described = {
      readonly parameters?: readonly { readonly $ref?: string }[];
      readonly responses: Record<string, { readonly headers?: Record<string, unknown> }>;
    };
    const { paths } = api.openapi("", "3.1", "all") as { paths: Record<string, Record<string, Described>> };
    const headersOf = (path: string, method: string, status: string): readonly string[] =>
      Object.keys(paths[path]?.[method]?.responses[status]?.headers ?? {});
    // One of their fields is deprecated, so any response can have the headers.
    expect(headersOf("/olds", "get", "200")).toEqual(
      expect.arrayContaining(["Deprecation", "Sunset", "Link", "Content-Disposition", "Content-Security-Policy"]),
    );
    expect(headersOf("/olds/{id}", "delete", "200")).toContain("Idempotent-Replayed");
    const takes = (path: string, method: string, name: string): boolean =>
      paths[path]?.[method]?.parameters?.some(({ $ref }) => $ref?.endsWith(`/${name}`)) === true;
    for (const method of ["put", "patch", "delete"]) expect(takes("/olds/{id}", method, "idempotencyKey")).toBe(true);
    expect(takes("/olds/{id}/poke", "post", "ifMatch")).toBe(true);
  });

  test("rejects invalid settings at start", () => {
    const define = (deprecated: object): unknown =>
      defineApi({ resources: [{ ...gone, config: { ...gone.config, deprecated } }] });
    expect(() => define({ since: "2026-05-01", sunset: "2026-04-01" })).toThrow(/before 'since'/);
    expect(() => define({ since: "soon" })).toThrow(/Expected a date/);
    expect(() => define({ until: "2026-05-01" })).toThrow(/Unknown option 'until'/);
  });
});

describe("CORS", () => {
  const APP = "https://app.example.com";
  const api = createLibrary({ cors: { origins: [APP], credentials: true, maxAge: 60 } });
  const any = createLibrary({ cors: { origins: "*" } });
  const off = createLibrary();
  const cookies: Authenticator = {
    challenge: "Session",
    headers: ["Cookie"],
    schemes: {},
    authenticate: () => null,
  };

  const preflight = async (
    of: typeof api,
    origin: string,
    path = "/books",
  ): Promise<Readonly<Record<string, string>> | undefined> =>
    (await of.handle(request("OPTIONS", path, { headers: { origin, "access-control-request-method": "PATCH" } })))
      ?.headers;

  test("is off by default", async () => {
    expect(Object.keys((await send(off, "GET", "/books", { headers: { origin: APP } })).headers).join()).not.toMatch(
      /access-control/i,
    );
    expect(Object.keys((await preflight(off, APP)) ?? {}).join()).not.toMatch(/access-control/i);
  });

  test.each(["/books", "/books/1", "/graphql", "/openapi.json"])("a preflight of %s", async (path) => {
    const headers = await preflight(api, APP, path);
    expect(headers).toMatchObject({
      "Access-Control-Allow-Origin": APP,
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Max-Age": "60",
      Vary: "Origin",
    });
    expect(headers?.["Access-Control-Allow-Methods"]?.split(", ")).toContain(path === "/graphql" ? "POST" : "GET");
    expect(headers?.["Access-Control-Allow-Headers"]).toMatch(/Idempotency-Key, If-Match/);
  });

  test("allows the headers of the styles and authenticators and the listed ones in a preflight", async () => {
    const auth = [apiKeys({ resource: "apiKey", header: "X-Library-Key", bearer: true }), cookies];
    const cors = { origins: [APP], headers: ["X-Trace"] };
    const own = defineApi({ resources: [apiKeyResource()], auth, cors, log: silentLog });
    const headers = { origin: APP, "access-control-request-method": "POST" };
    const answer = await own["~http"].handle(request("OPTIONS", "/graphql", { headers }));
    expect(answer?.headers["Access-Control-Allow-Headers"]?.split(", ")).toEqual([
      "Accept",
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
      "Last-Event-ID",
      "Prefer",
      "X-API-Key",
      "X-GraphQL-Event-Stream-Token",
      "X-Library-Key",
      "X-Trace",
    ]);
  });

  test.each([
    "https://evil.example",
    "null",
    `${APP}.evil.example`,
    "https://evilapp.example.com",
    "http://app.example.com",
    `${APP}:444`,
    "",
  ])("never allows the origin %s", async (origin) => {
    for (const [method, path] of [
      ["GET", "/books"],
      ["GET", "/nothing"],
      ["POST", "/graphql"],
      ["GET", "/books/77"],
    ] as const) {
      const answer = await api.handle(request(method, path, { headers: { origin } }));
      expect(answer?.headers["Access-Control-Allow-Origin"]).toBeUndefined();
      expect(answer?.headers["Vary"] ?? "Origin").toMatch(/Origin/);
    }
    expect((await preflight(api, origin))?.["Access-Control-Allow-Origin"]).toBeUndefined();
  });

  test("exposes responses and errors, with the headers that clients need", async () => {
    for (const [url, status] of [
      ["/books", 200],
      ["/books/77", 404],
      ["/books?x=1", 400],
    ] as const) {
      const answer = await send(api, "GET", url, { headers: { origin: APP } });
      expect([answer.status, answer.headers["Access-Control-Allow-Origin"]]).toEqual([status, APP]);
      for (const name of ["ETag", "Link", "Total-Count", "Location", "Retry-After"])
        expect(answer.headers["Access-Control-Expose-Headers"]).toContain(name);
    }
  });

  test("sends * for any origin, never an echo, and never with credentials", async () => {
    const { headers } = await send(any, "GET", "/books", { headers: { origin: "https://x.example" } });
    expect([headers["Access-Control-Allow-Origin"], headers["Vary"]]).toEqual(["*", "Accept"]);
    expect(() => createLibrary({ cors: { origins: "*", credentials: true } })).toThrow(/Credentials can.t be allowed/);
    expect(() => createLibrary({ cors: { origins: ["https://app.example.com/"] } })).toThrow(/Invalid origin/);
  });
});

test("forbids type sniffing in every response, and writes valid structured headers", async () => {
  const api = createLibrary();
  for (const [method, url] of [
    ["GET", "/"],
    ["GET", "/books"],
    ["GET", "/books/1"],
    ["GET", "/books/77"],
    ["GET", "/-/page.css"],
    ["POST", "/books"],
    ["POST", "/graphql"],
    ["GET", "/graphql"],
  ] as const) {
    expect([url, (await api.handle(request(method, url)))?.headers["X-Content-Type-Options"]]).toEqual([
      url,
      "nosniff",
    ]);
  }
  const { headers } = await send(api, "GET", "/books");
  expect(() => parseDictionary(headers["Cache-Control"] as string)).not.toThrow();
});

describe("Prefer: page-info", () => {
  test.each([
    ["/books?page[size]=2", true, false],
    ["/books?page[size]=1&page[offset]=1", true, true],
    ["/books?filter[title]=none", false, false],
    ["/books?aggregate=count", false, false],
  ])("%s has the position of its page", async (path, next, previous) => {
    const api = createLibrary();
    const { headers } = await send(api, "GET", path, { headers: { prefer: "page-info" } });
    const info = parseDictionary(headers["Page-Info"] ?? "");
    expect([info.get("next")?.[0], info.get("previous")?.[0]]).toEqual([next, previous]);
    expect(typeof info.get("end")?.[0]).toBe(path.includes("none") ? "undefined" : "string");
    expect(headers["Vary"]).toContain("Prefer");
    const { ETag = "" } = headers;
    const unchanged = await send(api, "GET", path, { headers: { prefer: "page-info", "if-none-match": ETag } });
    expect([unchanged.status, unchanged.headers["Page-Info"]?.slice(0, 20)]).toEqual([
      304,
      headers["Page-Info"]?.slice(0, 20),
    ]);
  });

  test("the last cursor continues after the page", async () => {
    const api = createLibrary();
    const { headers } = await send(api, "GET", "/books?page[size]=1", { headers: { prefer: "page-info" } });
    const end = parseDictionary(headers["Page-Info"] ?? "").get("end")?.[0];
    expect(headers["Link"]).toContain(`page%5Bafter%5D=${end as string}`);
    const plain = await send(api, "GET", "/books?page[size]=1");
    expect(plain.headers["Page-Info"]).toBeUndefined();
  });
});
