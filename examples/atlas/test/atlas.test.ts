import { type ChildProcess, exec, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(exec);
const root = fileURLToPath(new URL("..", import.meta.url));

let atlas: ChildProcess;
let url = "";
let banner = "";
let commands: readonly string[] = [];

/** Starts it as `npm start` does, and waits until it says where it is. */
beforeAll(async () => {
  atlas = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  atlas.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  while (!text.includes("GraphQL at")) await new Promise((resolve) => setTimeout(resolve, 20));
  banner = text;
  url = /http:\/\/[\d.:]+/.exec(text)?.[0] ?? "";
  const page = await (await fetch(url)).text();
  commands = [...page.matchAll(/<figure class="curl"><figcaption>curl<\/figcaption><pre[^>]*><code>([^<]*)/g)].map(
    ([, escaped = ""]) =>
      escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
}, 30_000);

afterAll(async () => {
  atlas.kill("SIGTERM");
  await once(atlas, "exit");
});

/** Runs a command of the page in a shell. */
async function shell(command: string): Promise<string> {
  const { stdout } = await run(command.replace(/^curl /, "curl -sS "));
  return stdout;
}

test("says what it holds", () => {
  expect(banner).toContain("250 countries, 171075 cities");
});

describe("the page", () => {
  test("its commands work as printed, and both styles agree", async () => {
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

  test("both streams see a note, whichever style wrote it", async () => {
    const streams = commands.filter((command) => command.includes("text/event-stream"));
    expect(streams).toHaveLength(2);
    const reading = streams.map((command) =>
      // Ended by us after a moment, which curl calls an error.
      run(command.replace(/^curl /, "curl -sS --max-time 3 ")).catch((thrown: { stdout: string }) => thrown),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const command of commands.filter((one) => /\/notes'|createNote/.test(one) && !streams.includes(one))) {
      await shell(command);
    }
    for (const { stdout } of await Promise.all(reading)) {
      expect(stdout).toContain("Written with curl.");
      expect(stdout).toContain("Written with a mutation.");
    }
  }, 15_000);

  test("is closed to anything from elsewhere", async () => {
    const { headers } = await fetch(url);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/atlas.css", "/atlas.js"]) expect((await fetch(url + path)).status).toBe(200);
  });
});

interface Connection {
  readonly nodes: readonly object[];
}
