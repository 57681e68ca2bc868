import {
  allow,
  type AnyApi,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  manyToMany,
  owner,
  silentLog,
} from "@bifocal/core";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { fetchHandler } from "@bifocal/fetch";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KEYS } from "../bookstore/stores.ts";
import { ADAPTERS } from "./access/doors.ts";
import { createOrgs } from "./access/orgs.ts";

const KEY = "k".repeat(24);
const READ_ONLY = { read: allow, create: deny, update: deny, delete: deny };

const HIDDEN = /hidden-?(?:code|drawer|label|owner|query|burn|note)/i;

/** Everything whose name contains `hidden` is hidden from all callers, each for another reason. */
function createHiding(explain: boolean) {
  const shelf = defineResource("shelf", {
    plural: "shelves",
    fields: { id: z.int32(), name: z.string(), hiddenCode: z.string().nullable() },
    internal: ["hiddenCode"],
    relations: {
      books: hasMany("book", "shelfId"),
      hiddenDrawers: hasMany("hiddenDrawer", "shelfId"),
      hiddenLabels: hasMany("label", "shelfId"),
    },
    operations: ["get", "list"],
    access: { ...READ_ONLY, relations: { hiddenLabels: { read: deny } } },
    queries: {
      byName: { on: "collection", input: z.object({ name: z.string() }), access: allow, run: () => ({}) },
      hiddenQuery: { on: "collection", access: deny, run: () => ({}) },
    },
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), shelfId: z.int32(), hiddenOwner: z.string().nullable() },
    internal: ["hiddenOwner"],
    relations: { shelf: belongsTo("shelf", "shelfId"), labels: manyToMany("label") },
    access: {
      read: allow,
      create: allow,
      update: owner("hiddenOwner"),
      delete: deny,
      relations: { labels: { link: deny } },
    },
    actions: {
      lend: { on: "item", access: allow, run: () => {} },
      hiddenBurn: { on: "item", access: deny, run: () => {} },
    },
  });
  const label = defineResource("label", {
    fields: { id: z.int32(), text: z.string(), shelfId: z.int32() },
    access: READ_ONLY,
  });
  const hiddenDrawer = defineResource("hiddenDrawer", {
    fields: { id: z.int32(), shelfId: z.int32() },
    relations: { shelf: belongsTo("shelf", "shelfId") },
    access: { read: deny, create: deny, update: deny, delete: deny },
  });
  const hiddenNote = defineResource("hiddenNote", {
    fields: { id: z.int32(), text: z.string() },
    operations: [],
    access: READ_ONLY,
  });
  const auth = apiKeys({ [KEY]: { id: "ann", roles: ["admin"] } });
  return defineApi({ resources: [shelf, book, label, hiddenDrawer, hiddenNote], auth, explain, log: silentLog });
}

/** Words on the page besides the names of the API. */
const WORDS = new Set(
  "GET POST PUT PATCH DELETE Accept text event stream uuid URL date and time decimal any JSON null more npx bifocal".split(
    " ",
  ),
);

interface Site {
  readonly page: (path: string) => Promise<string>;
  readonly status: (path: string) => Promise<number>;
  readonly documents: string;
  /** The content of `/client.json`. */
  readonly forClients: string;
  readonly paths: readonly string[];
}

async function browse(
  api: AnyApi & { readonly graphql: { sdl(): string }; openapi(): unknown },
  key?: string,
): Promise<Site> {
  const handle = fetchHandler(api, { address: () => "127.0.0.1" });
  const headers = { accept: "text/html", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const get = (path: string) => handle(new Request(`http://host${path}`, { headers }));
  const page = async (path: string): Promise<string> => (await get(path)).text();
  const links = [...(await page("/-/schema")).matchAll(/href="(\/-\/schema\/[^"#]+)"/g)].map(([, path = ""]) => path);
  const described = await handle(new Request("http://host/openapi.json?formats=all"));
  return {
    page,
    status: async (path) => (await get(path)).status,
    documents: (await described.text()) + api.graphql.sdl(),
    forClients: await (await handle(new Request("http://host/client.json"))).text(),
    paths: ["/-/schema", ...new Set(links)],
  };
}

/** The content of a page, without its access rules. */
function schemaPart(html: string): string {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return main.split('<h2 id="access">')[0] ?? "";
}

/** The names that a page shows as code. */
function namesIn(html: string): readonly string[] {
  const code = [...html.matchAll(/<code[^>]*>(.*?)<\/code>/gs)].map(([, text = ""]) =>
    text
      .replaceAll("<wbr>", "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/&\w+;|&#\d+;/g, " "),
  );
  return [...new Set(code.join(" ").match(/[A-Za-z_]\w*/g))].filter((name) => !WORDS.has(name));
}

describe("the pages of the schema", () => {
  test.each<[name: string, create: () => Parameters<typeof browse>[0], key: string | undefined, least: number]>([
    ["the organizations", () => createOrgs().api, undefined, 40],
    ["the bookstore", () => createBookstore({ keys: KEYS }).api, KEYS.admin, 150],
    ["hidden parts", () => createHiding(true), KEY, 30],
  ])("A06: show no name that OpenAPI and GraphQL hide: %s", async (_, create, key, least) => {
    const api = create();
    const { page, documents, paths } = await browse(api, key);
    const known = new Set(documents.match(/[A-Za-z_]\w*/g));
    const shown = new Set<string>();
    for (const path of paths) {
      const names = namesIn(schemaPart(await page(path)));
      for (const name of names) shown.add(name);
      expect([path, ...names.filter((name) => !known.has(name))]).toEqual([path]);
    }
    expect(shown.size).toBeGreaterThan(least);
    await api.close();
  });

  test.each([undefined, KEY])("A06: show nothing hidden without `explain`, to the caller %s", async (key) => {
    const api = createHiding(false);
    const { page, status, documents, forClients, paths } = await browse(api, key);
    expect(documents).not.toMatch(HIDDEN);
    expect(forClients).toContain('"shelf"');
    expect(forClients).not.toMatch(HIDDEN);
    expect(paths).toEqual(["/-/schema", "/-/schema/shelves", "/-/schema/books", "/-/schema/labels"]);
    for (const path of paths) {
      expect([path, await page(path)]).toEqual([path, expect.not.stringMatching(HIDDEN)]);
    }
    for (const path of ["hidden-drawers", "hidden-notes", "nothing"])
      expect([path, await status(`/-/schema/${path}`)]).toEqual([path, 404]);
    for (const path of ["hidden-drawers", "hidden-drawers/1", "hidden-drawers/1/shelf", "hidden-notes"])
      expect([path, await status(`/${path}`)]).toEqual([path, 404]);
    await api.close();
  });

  test("A06: show internal names in rules, and permissions denied to everyone, only with `explain`", async () => {
    const { page } = await browse(createHiding(true));
    const text = await page("/-/schema/books");
    expect(schemaPart(text)).not.toMatch(HIDDEN);
    expect(text).toMatch(/owner\(&quot;hiddenOwner&quot;\)/);
    expect(text).toContain("call book.hiddenBurn");
  });

  test.each(Object.entries(ADAPTERS))("are served below the prefix on %s", async (_, serve) => {
    for (const [explain, title] of [
      [true, "Schema and access"],
      [false, "Schema"],
    ] as const) {
      const served = await serve(createHiding(explain));
      for (const path of ["/-/schema", "/-/schema/books"]) {
        const text = await (await fetch(served.url + path, { headers: { accept: "text/html" } })).text();
        expect(text).toContain(`<a href="/api/-/schema" aria-current="page">${title}</a>`);
        expect(text).toContain('<a href="/api/books"');
      }
      const { status } = await fetch(`${served.url}/-/schema/books`, { method: "POST" });
      expect(status).toBe(405);
      expect((await fetch(`${served.url}/-/schema/books/1`)).status).toBe(404);
      await served.close();
    }
  });
});
