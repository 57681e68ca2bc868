import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ROOT } from "./snippets.ts";

test.each(["quickstart", "bookstore", "tracker", "atlas", "drizzle", "observability"])(
  "the example %s rejects a port that is not a number",
  async (name) => {
    const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
      cwd: `${ROOT}examples/${name}`,
      env: { ...process.env, PORT: "abc" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, text]).toEqual([1, expect.stringMatching(/(PORT|The port) must be a number.*; received "abc"\./)]);
  },
  30_000,
);

test.each([
  ["bookstore", /^Port \d+ is in use\. Set PORT to another port\.\n$/],
  ["tracker", /^Port \d+ is in use\. Set PORT to another port\.\n$/],
  ["quickstart", /Error: Port \d+ is in use\. Stop the other program, or choose another port\./],
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
      expect([code, text.replaceAll(/.*ExperimentalWarning.*\n|\(Use `node --trace.*\n/g, "")]).toEqual([
        1,
        expect.stringMatching(message),
      ]);
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
  expect([code, text.replaceAll(/.*ExperimentalWarning.*\n|\(Use `node --trace.*\n/g, "")]).toEqual([
    1,
    "A store could not be opened. Retrying. { reason: 'connect ECONNREFUSED 127.0.0.1:1' }\n" +
      "The database is unavailable. Try again in a few seconds. Check DATABASE_URL.\n",
  ]);
}, 30_000);
