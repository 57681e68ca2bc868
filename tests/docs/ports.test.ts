import { spawn } from "node:child_process";
import { once } from "node:events";
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
    expect([code, text]).toEqual([1, expect.stringContaining('PORT must be a number; received "abc".')]);
  },
  30_000,
);
