import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ROOT } from "./snippets.ts";

const EXAMPLES = ["quickstart", "bookstore", "tracker", "atlas", "drizzle", "observability", "two-packages/api"];

test.each(EXAMPLES.flatMap((name) => ["abc", "70000"].map((port) => [name, port] as const)))(
  "the example %s rejects the port %s in one line",
  async (name, port) => {
    const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
      cwd: `${ROOT}examples/${name}`,
      env: { ...process.env, PORT: port },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    const line = new RegExp(
      `^(PORT|The port) must be a number from 0 to 65535; received "${port}"\\. Choose one, such as 3000\\.\n$`,
    );
    expect([code, withoutWarnings(text)]).toEqual([1, expect.stringMatching(line)]);
  },
  30_000,
);

test.each([
  ["bookstore", /^Port \d+ is in use\. Set PORT to another port\.\n$/],
  ["tracker", /^Port \d+ is in use\. Set PORT to another port\.\n$/],
  ["quickstart", /^Port \d+ is in use\. Stop the other program, or choose another port\.\n$/],
])(
  "the example %s reports a port that is in use, without a stack",
  async (name, message) => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { readonly port: number };
    try {
      const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
        cwd: `${ROOT}examples/${name}`,
        env: { ...process.env, PORT: String(port) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let text = "";
      child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      expect([code, withoutWarnings(text)]).toEqual([1, expect.stringMatching(message)]);
      expect(text).not.toContain("    at ");
    } finally {
      taken.close();
    }
  },
  30_000,
);

test("the bookstore reports a database that is down, without a stack", async () => {
  const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: `${ROOT}examples/bookstore`,
    env: { ...process.env, PORT: "0", DATABASE_URL: "postgres://127.0.0.1:1/books" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect([code, withoutWarnings(text)]).toEqual([
    1,
    "A store could not be opened. Retrying. { reason: 'connect ECONNREFUSED 127.0.0.1:1' }\n" +
      "The database is unavailable. Try again in a few seconds. Check DATABASE_URL.\n",
  ]);
}, 30_000);

/** Node's warnings about its own modules are not messages of the examples. */
function withoutWarnings(text: string): string {
  return text.replaceAll(/.*ExperimentalWarning.*\n|\(Use `node --trace.*\n/g, "");
}
