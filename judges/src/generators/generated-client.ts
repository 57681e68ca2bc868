import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADMIN } from "../bookstore.ts";
import { type Judge, runCommand } from "../judge.ts";

/** A program that generates a client from the OpenAPI document, and a program that uses the client. */
export interface GeneratedClient {
  readonly name: string;
  /** Generates the client in a folder with the document, `openapi.json`. */
  readonly generate: (folder: string) => void;
  /** Imports the client from `./client`. `URL` and `KEY` stand for those of the bookstore. It throws if a call fails. */
  readonly program: string;
}

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const COMPILER_OPTIONS = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  lib: ["es2022", "dom", "dom.iterable"],
};

/** Generates the client, compiles it with the program in strict mode, and runs the program against the bookstore. */
export function generatedClientJudge({ name, generate, program }: GeneratedClient): Judge {
  return {
    name: `${name} generates a client that compiles in strict mode, and lists, creates, reads, updates and deletes`,
    async run({ url, folder: documents }) {
      const folder = mkdtempSync(join(tmpdir(), "client-"));
      symlinkSync(MODULES, join(folder, "node_modules"));
      mkdirSync(join(folder, "client"));
      copyFileSync(join(documents, "openapi.json"), join(folder, "openapi.json"));
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      generate(folder);
      writeFileSync(join(folder, "use.ts"), program.replaceAll("URL", url).replaceAll("KEY", ADMIN));
      const config = { compilerOptions: COMPILER_OPTIONS, files: ["use.ts"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      runCommand("tsc", ["-p", "."], folder);
      const bundle = ["use.ts", "--bundle", "--format=esm", "--platform=node", "--outfile=use.mjs"];
      runCommand("esbuild", [...bundle, "--log-level=error"], folder);
      const { status, stdout, stderr } = spawnSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" });
      if (status !== 0) throw new Error(`The program ended with ${status}:\n${stdout}\n${stderr}`);
    },
  };
}
