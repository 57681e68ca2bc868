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

test.each(["bookstore", "tracker"])(
  "the example %s reports a port that is in use, without a stack",
  async (name) => {
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
        `Port ${port} is in use. Set PORT to another port.\n`,
      ]);
    } finally {
      taken.close();
    }
  },
  30_000,
);
