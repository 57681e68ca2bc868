import { allow, apiKeys, belongsTo, defineApi, defineResource, hasMany, hasRole, silentLog } from "@bifocal/core";
import { apiConsole } from "@bifocal/console";
import { fetchHandler } from "@bifocal/fetch";
import { graphiql } from "@bifocal/graphiql";
import { sqlStore } from "@bifocal/sql";
import { mkdtempDisposableSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const KEY = "k".repeat(24);
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: {
    read: ({ principal }) => (principal === null ? { title: { ne: "Draft" } } : true),
    create: hasRole("editor"),
    update: hasRole("editor"),
    delete: hasRole("editor"),
  },
  filterable: ["title"],
  sortable: ["title"],
});

afterEach(() => vi.unstubAllEnvs());

type Options = { readonly developerPages?: boolean; readonly introspection?: boolean; readonly explain?: boolean };

async function createApi(options: Options = {}) {
  const api = defineApi({
    resources: [author, book],
    store: sqlStore({ url: "sqlite::memory:", autoCreate: true }),
    auth: apiKeys({ [KEY]: { id: "ann", roles: ["editor"] } }),
    console: apiConsole(),
    graphql: { graphiql: graphiql() },
    log: silentLog,
    warnings: false,
    ...options,
  });
  await api.ready;
  const handle = fetchHandler(api, { prefix: "/api" });
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await handle(new Request(`http://localhost/api${path}`, init));
    return { status: response.status, text: `${JSON.stringify([...response.headers])}\n${await response.text()}` };
  };
  return { api, send };
}

const ANN = { authorization: `Bearer ${KEY}` };
const post = (body: unknown, headers = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

interface Explained {
  readonly kind: string;
  readonly access?: string;
  readonly sql?: { readonly text: string; readonly statements: readonly { sql: string; milliseconds: number }[] };
}

describe("POST /-/translate", () => {
  async function explain(body: object, headers = {}): Promise<Explained | undefined> {
    const { api, send } = await createApi();
    const { text } = await send("/-/translate", post(body, headers));
    await api.close();
    const { translations } = JSON.parse(text.slice(text.indexOf("\n"))) as { translations: Explained[] };
    return translations[0];
  }

  test("returns the SQL of a read with its duration, as the caller's rules change it", async () => {
    const request = { document: "{ books { nodes { title author { name } } } }", sql: true };
    const [anonymous, ann] = [await explain(request), await explain(request, ANN)];
    expect(anonymous?.sql?.text).toMatch(/\n1\. select .* from "books".*\n {3}0 rows in \d+\.\d\d ms/s);
    expect(anonymous?.sql?.statements[0]?.milliseconds).toBeGreaterThan(0);
    const whereOf = (one: Explained | undefined) => /where .*/.exec(one?.sql?.statements[0]?.sql ?? "")?.[0] ?? "";
    expect(whereOf(anonymous)).toContain('"title"');
    expect(whereOf(ann)).not.toContain('"title"');
    expect(anonymous).not.toHaveProperty("access");
  });

  test("returns the rules that decide for the caller", async () => {
    const request = { request: 'POST /books { "id": 1, "title": "Emma", "authorId": 1 }', access: true };
    expect((await explain(request))?.access).toContain("create book: no");
    expect((await explain(request, ANN))?.access).toContain("create book: yes");
  });

  test("never runs a write", async () => {
    const { api, send } = await createApi();
    const request = 'POST /authors { "id": 1, "name": "Ann" }';
    const { text } = await send("/-/translate", post({ request, access: true, sql: true }));
    expect(text).toContain("Not run: only reads are run to show their statements.");
    expect((await send("/authors")).text).toMatch(/\n\[\]$/);
    await api.close();
  });

  test("explains nothing if `explain` is off", async () => {
    const { api, send } = await createApi({ explain: false });
    for (const part of ["access", "sql"]) {
      const { status, text } = await send("/-/translate", post({ request: "GET /books", [part]: true }));
      expect([status, text]).toEqual([400, expect.stringContaining("This server doesn't explain requests.")]);
    }
    expect((await send("/-/translate", post({ request: "GET /books" }))).status).toBe(200);
    await api.close();
  });
});

/** Text of statements, of the names in them and of the explained rules. */
const INTERNAL =
  /\b(?:select|from|into) (?:"|&quot;|\\")|data-explain=|data-explains="true"|hasRole\(|rows? in [\d.]+ ms/;

const DOCUMENT = "{ books { nodes { title author { name } } } }";
const HTML = { accept: "text/html" };
const TRANSLATION = { request: "GET /books", access: true, sql: true };
const DOORS: readonly (readonly [string, RequestInit])[] = [
  ["/", { headers: HTML }],
  ["/books?include=author", {}],
  ["/books?include=author", { headers: HTML }],
  ["/books?sort=-title&count=true", { headers: { ...HTML, ...ANN } }],
  ["/books/1", { headers: HTML }],
  ["/books?filter[title][nope]=1", { headers: HTML }],
  ["/books?explain=true&sql=true", {}],
  ["/books?access=true", { headers: HTML }],
  ["/books", post({ id: 1, title: "Emma", authorId: 9 }, ANN)],
  ["/authors", post({ id: "x'; select 1" })],
  ["/graphql", post({ query: DOCUMENT })],
  ["/graphql", post({ query: DOCUMENT, extensions: { explain: true, sql: true } })],
  ["/graphql", { headers: HTML }],
  ["/openapi.json?formats=all", {}],
  ["/client.json", {}],
  ["/console", { headers: HTML }],
  ["/console/model", {}],
  ["/console/translate", post(TRANSLATION, ANN)],
  ["/-/translate", post(TRANSLATION, ANN)],
  ["/-/translate", post({ document: DOCUMENT, access: true, sql: true })],
];

describe("in production", () => {
  test.each<[string, Options]>([
    ["by default", {}],
    ["with `explain`, but without developer pages", { explain: true }],
    ["with developer pages and introspection", { developerPages: true, introspection: true }],
  ])("no response contains SQL or rules, %s", async (_, options) => {
    vi.stubEnv("NODE_ENV", "production");
    const { api, send } = await createApi(options);
    for (const [path, init] of DOORS) {
      const { text } = await send(path, init);
      expect([path, INTERNAL.exec(text)?.[0]]).toEqual([path, undefined]);
    }
    await api.close();
  });

  test("a failed statement shows nothing of the database", async () => {
    vi.stubEnv("NODE_ENV", "production");
    using folder = mkdtempDisposableSync(join(tmpdir(), "explain-"));
    const file = join(folder.path, "books.db");
    const store = sqlStore({ url: `sqlite:${file}`, autoCreate: true });
    const api = defineApi({ resources: [author, book], store, log: silentLog, warnings: false });
    await api.ready;
    const database = new DatabaseSync(file);
    database.exec('drop table "books"');
    database.close();
    const handle = fetchHandler(api);
    for (const accept of ["application/json", "text/html"]) {
      const response = await handle(new Request("http://localhost/books", { headers: { accept } }));
      const text = await response.text();
      expect([response.status >= 500, INTERNAL.exec(text)?.[0], text.includes("no such table")]).toEqual([
        true,
        undefined,
        false,
      ]);
    }
    await api.close();
  });

  test("responses contain SQL and rules only with `explain` and developer pages", async () => {
    vi.stubEnv("NODE_ENV", "production");
    const { api, send } = await createApi({ developerPages: true, explain: true });
    expect((await send("/-/translate", post(TRANSLATION, ANN))).text).toMatch(INTERNAL);
    expect((await send("/books", { headers: HTML })).text).toMatch(INTERNAL);
    expect(api.warnings().map(({ code }) => code)).toContain("explain");
    await api.close();
  });
});
