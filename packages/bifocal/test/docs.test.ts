import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createWorkplace, FIXTURE } from "./run-bifocal.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Every shell line that calls the command line. */
function linesOf(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .filter((line) => line.startsWith("npx bifocal "));
}

function runShell(folder: string, line: string): Promise<{ readonly code: number | null; readonly err: string }> {
  const own = `npx() { shift; '${process.execPath}' --conditions=@bifocal/source '${MAIN}' "$@"; }\n${line}`;
  const child = spawn("bash", ["-c", own], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, err })));
}

test("every command in the documentation works", async () => {
  using place = createWorkplace();
  writeFileSync(join(place.folder, "package.json"), JSON.stringify({ bifocal: { api: FIXTURE } }));
  const lines = [...linesOf("migrations.md"), ...linesOf("cli.md")];
  expect(lines.length).toBeGreaterThan(10);
  let id = "";
  for (const line of lines) {
    const { code, err } = await runShell(place.folder, line.replace("e99a71961e2facb32d97", id));
    expect([line, code, code === 0 ? "" : err]).toEqual([line, 0, ""]);
    if (!line.includes("keys create")) continue;
    const [key] = JSON.parse((await place.run(["keys", "list", "--json"])).out) as [{ readonly id: string }];
    id = key.id;
  }
  expect(readFileSync(join(place.folder, "schema.graphql"), "utf8")).toContain("type Book");
  expect(JSON.parse(readFileSync(join(place.folder, "openapi.json"), "utf8"))).toHaveProperty("openapi");
}, 90_000);
