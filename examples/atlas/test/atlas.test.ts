import { servers } from "@bifocal/test-servers";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Running, start } from "./start.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LensView } from "../src/lens/lens-view.ts";
import { CITIES_IN_VIEW, PRESETS } from "../src/page/presets.ts";

const folder = mkdtempSync(join(tmpdir(), "atlas-"));
const FILE = `sqlite:${join(folder, "atlas.db")}`;
const JSON_TYPE = { "content-type": "application/json" };
const VISITOR = { authorization: "Bearer atlas-visitor" };
const EDITOR = { authorization: "Bearer atlas-editor" };

let atlas: Running;
let url = "";
let banner = "";

beforeAll(async () => {
  atlas = await start(FILE);
  ({ url, banner } = atlas);
}, 120_000);

afterAll(async () => {
  await atlas.stop();
  rmSync(folder, { recursive: true, force: true });
});

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url + path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
}

async function lens(body: object, headers = {}): Promise<LensView> {
  return (await (await post("/lens", body, headers)).json()) as LensView;
}

test("prints the progress of the import, and the number of its rows", () => {
  expect(banner).toMatch(/^Importing the data, once\.\nImporting cities: \d/);
  expect(banner).toMatch(/Importing cities: [\d,]+ of 171,075 \(5\d %\)\n/);
  expect(banner).toContain("Importing cities: 171,075 of 171,075 (100 %)\n250 countries, 171075 cities");
});

describe("the page", () => {
  test("contains the whole definition, and loads only its own files", async () => {
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).toMatch(/The whole definition: \d\d lines/);
    expect(page).not.toMatch(/<style|<script(?! src)|style="/);
    const files = [...page.matchAll(/(?:src|href)="(\/atlas\.[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const file = await fetch(url + path);
      expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
  });

  test("links to pages of the API that exist", async () => {
    const links = [...(await (await fetch(url)).text()).matchAll(/<a href="(\/api[^"?]*)"/g)].map(([, path]) => path);
    expect(links).toEqual(expect.arrayContaining(["/api/", "/api/console", "/api/graphql", "/api/docs"]));
    const accept = { headers: { accept: "text/html" } };
    for (const path of links) expect([path, (await fetch(url + path, accept)).status]).toEqual([path, 200]);
    const missing = await fetch(`${url}/api/nothing`, accept);
    expect([missing.status, await missing.text()]).toEqual([
      404,
      expect.stringContaining("Nothing exists at this path"),
    ]);
  });

  test.each([{ title: "Cities on the map", request: CITIES_IN_VIEW }, ...PRESETS])(
    "has an example with equal responses in both styles: $title",
    async ({ request }) => {
      const { operations, statements } = await lens({ request, sql: true });
      const [{ rest, graphql } = { rest: { reason: "" }, graphql: { reason: "" } }] = operations;
      if (!("url" in rest) || !("document" in graphql)) throw new Error("A style has no such request.");
      expect(graphql.document).not.toContain("$");
      expect(statements?.length).toBeGreaterThan(0);
      const rows = (await (await fetch(`${url}/api${rest.url}`)).json()) as object;
      const { data } = (await (await post("/api/graphql", { query: graphql.document })).json()) as GraphqlBody;
      const [value] = Object.values(data);
      expect(withoutNulls(value)).toEqual(JSON.parse(JSON.stringify(withoutNulls(rows))));
      // The document means the same request.
      const [again] = (await lens({ document: graphql.document })).operations;
      expect(again?.rest).toEqual(rest);
    },
  );

  test("gets all points in one response", async () => {
    const accept = "application/vnd.atlas.points";
    const response = await fetch(`${url}/api/cities?fields=lat,lng`, { headers: { accept } });
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain(accept);
    // Only the last character of each number is one of these.
    expect(text.match(/[?-^]/g)).toHaveLength(2 * 171_075);
    expect(text.length).toBeLessThan(1_000_000);
  });
});

describe("POST /lens", () => {
  test("returns the error that the request would get", async () => {
    const response = await post("/lens", { request: "GET /cities?filter[nme]=Bern" });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("nme")]);
    expect((await post("/lens", { document: "{ citys { nodes { name } } }" })).status).toBe(400);
    expect((await fetch(`${url}/lens`, { method: "POST", body: "x" })).status).toBe(400);
  });

  test("explains the rules for the caller, and never runs a write", async () => {
    const request = 'POST /notes { "cityId": 1, "by": "Ann", "text": "Not written." }';
    const [anonymous] = (await lens({ request, sql: true })).operations;
    expect(anonymous?.access).toContain("create note: no");
    const { operations, statements } = await lens({ request, sql: true }, VISITOR);
    expect(operations[0]?.access).toContain("create note: yes");
    expect(statements).toEqual([]);
    expect(await (await fetch(`${url}/api/cities/1/notes`)).text()).toBe("[]");
  });
});

test("notes follow the role of the caller in both styles", async () => {
  const note = { cityId: 2, by: "Ann", text: "Seen from the coast." };
  expect((await post("/api/notes", note)).status).toBe(401);
  expect((await post("/api/notes", { ...note, hidden: true }, VISITOR)).status).toBe(403);
  expect((await post("/api/notes", note, VISITOR)).status).toBe(201);
  const read = async (headers: Readonly<Record<string, string>>) => {
    const rest = (await (await fetch(`${url}/api/notes?page[size]=50`, { headers })).json()) as object[];
    const query = "{ notes(first: 50) { nodes { id cityId by hidden text createdAt } } }";
    const { data, errors = [] } = (await (await post("/api/graphql", { query }, headers)).json()) as GraphqlBody;
    expect(withoutNulls(data["notes"])).toEqual(withoutNulls(rest));
    return { rows: rest, errors: errors.length };
  };
  const [anonymous, visitor, editor] = [await read({}), await read(VISITOR), await read(EDITOR)];
  expect(anonymous.rows).toHaveLength(11);
  expect(anonymous.rows[0]).not.toHaveProperty("by");
  expect(anonymous.errors).toBe(22);
  expect(visitor.rows[0]).toHaveProperty("by");
  expect(visitor.errors).toBe(11);
  expect([editor.rows.length, editor.errors]).toEqual([13, 0]);
});

describe("its rows", () => {
  test("are kept for the next start, which inserts nothing again", async () => {
    const note = { cityId: 1, by: "Ann", text: "Still here." };
    expect((await post("/api/notes", note, VISITOR)).status).toBe(201);
    const again = await start(FILE);
    try {
      expect(again.banner).not.toContain("Importing");
      const notes = await fetch(`${again.url}/api/cities/1/notes?sort=-createdAt`, { headers: VISITOR });
      expect(await notes.json()).toContainEqual(expect.objectContaining(note));
    } finally {
      await again.stop();
    }
  }, 60_000);

  const server = servers.find(({ name }) => name === "postgres");
  test.skipIf(server?.missing !== undefined)(
    "are the same in PostgreSQL, with DATABASE_URL",
    async () => {
      const database = await server?.create();
      const other = await start(database?.url ?? "");
      try {
        expect(other.banner).toContain("250 countries, 171075 cities");
        for (const path of [
          "/api/countries/CH?include=neighbors,cities&rel[cities][sort]=-lat&rel[cities][page][size]=3",
          "/api/countries?filter[languages][has]=Italian&sort=-area&count=true",
          "/api/cities?filter[name][istartsWith]=zü&sort=name&page[size]=50",
          "/api/cities?filter[country][landlocked]=true&filter[lat][gt]=60&sort=-lat,name",
          "/api/cities?filter[capital]=true&sort=name&page[size]=500",
        ]) {
          expect(await (await fetch(other.url + path)).text()).toBe(await (await fetch(url + path)).text());
        }
      } finally {
        await other.stop();
        await database?.drop();
      }
    },
    120_000,
  );
});

/** Removes what is only in GraphQL: `nodes`, totals, and nulls of fields that the caller can't read. Ids become strings. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  if ("nodes" in value) return withoutNulls(value.nodes);
  const members = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    members.map(([name, inner]) => [name, /^id$|Id$/.test(name) ? String(inner) : withoutNulls(inner)]),
  );
}

interface GraphqlBody {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors?: readonly object[];
}
