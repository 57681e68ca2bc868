import { servers } from "@bifocal/test-servers";
import { exec } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Running, start } from "./start.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(exec);
const folder = mkdtempSync(join(tmpdir(), "atlas-"));
const FILE = `sqlite:${join(folder, "atlas.db")}`;

let atlas: Running;
let url = "";
let banner = "";
let commands: readonly string[] = [];

beforeAll(async () => {
  atlas = await start(FILE);
  ({ url, banner } = atlas);
  const page = await (await fetch(url)).text();
  commands = [...page.matchAll(/<figure class="curl"><figcaption>curl<\/figcaption><pre[^>]*><code>([^<]*)/g)].map(
    ([, escaped = ""]) =>
      escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
}, 120_000);

afterAll(async () => {
  await atlas.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the page in a shell. */
async function shell(command: string): Promise<string> {
  const { stdout } = await run(command.replace(/^curl /, "curl -sS "));
  return stdout;
}

test("prints the number of its rows", () => {
  expect(banner).toContain("250 countries, 171075 cities");
});

describe("the page", () => {
  test("prints commands that work, and both styles agree", async () => {
    const once = commands.filter((command) => !command.includes("text/event-stream"));
    expect(once).toHaveLength(12);
    const answers = await Promise.all(once.map(async (command) => JSON.parse(await shell(command)) as unknown));
    for (const answer of answers) {
      expect(answer).not.toHaveProperty("errors");
      expect(answer).not.toHaveProperty("code");
    }
    const [swiss, swissGraphql] = answers as [object, { data: { country: object } }];
    expect(swissGraphql.data.country).toEqual(swiss);
    const [, , inland, inlandGraphql] = answers as [unknown, unknown, object[], { data: { countries: Connection } }];
    expect(inlandGraphql.data.countries.nodes).toEqual(inland);
    expect(inland.length).toBeGreaterThan(10);
    const both = answers[8] as { name: string }[];
    expect(both.map(({ name }) => name)).toEqual(["Belgium", "Luxembourg", "Switzerland"]);
  });

  test("sends a note of either style to both streams", async () => {
    const streams = commands.filter((command) => command.includes("text/event-stream"));
    expect(streams).toHaveLength(2);
    const reading = streams.map((command) =>
      // The test ends the stream after a while, which curl reports as an error.
      run(command.replace(/^curl /, "curl -sS --max-time 3 ")).catch((thrown: { stdout: string }) => thrown),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const writes = commands.filter((one) => /\/notes\b|createNote/.test(one) && !streams.includes(one));
    expect(writes).toHaveLength(2);
    for (const command of writes) await shell(command);
    for (const { stdout } of await Promise.all(reading)) {
      expect(stdout.match(/Written with curl\./g)).toHaveLength(2);
    }
  }, 15_000);

  test("refuses requests from other sites", async () => {
    const { headers } = await fetch(url);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/atlas.css", "/atlas.js"]) expect((await fetch(url + path)).status).toBe(200);
  });
});

describe("its rows", () => {
  test("are kept for the next start, which inserts nothing again", async () => {
    const note = { cityId: 1, by: "Ann", text: "Still here." };
    const made = await fetch(`${url}/api/notes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(note),
    });
    expect(made.status).toBe(201);
    const again = await start(FILE);
    try {
      // Filling the database takes most of the first start. `npm run bench:atlas` measures both.
      expect(secondsOf(again.banner)).toBeLessThan(secondsOf(banner) / 2);
      const notes = (await (await fetch(`${again.url}/api/cities/1/notes?sort=-createdAt`)).json()) as object[];
      expect(notes).toContainEqual(expect.objectContaining(note));
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

function secondsOf(banner: string): number {
  return Number(/ready after ([\d.]+) s/.exec(banner)?.[1]);
}

interface Connection {
  readonly nodes: readonly object[];
}
