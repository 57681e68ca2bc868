import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADMIN } from "../bookstore.ts";
import { type Judge, runCommand } from "../judge.ts";

/** A program that generates a client, and a program that uses the client. */
export interface GeneratedClient {
  readonly name: string;
  /** Generates the client in a folder with `openapi.json`, `schema.graphql` and the program, `use.ts`. */
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
  // graphql's declarations use `AsyncIterable`.
  lib: ["es2023", "dom", "dom.iterable", "esnext.asynciterable"],
  // Read by gql.tada only.
  plugins: [
    { name: "gql.tada/ts-plugin", schema: "./schema.graphql", tadaOutputLocation: "./client/introspection.d.ts" },
  ],
};

/** Generates the client, compiles it with the program in strict mode, and runs the program against the bookstore. */
export function generatedClientJudge({ name, generate, program }: GeneratedClient): Judge {
  return {
    name: `${name} generates a client that compiles in strict mode, and lists, creates, reads, updates and deletes`,
    async run({ url, folder: documents }) {
      const folder = mkdtempSync(join(tmpdir(), "client-"));
      symlinkSync(MODULES, join(folder, "node_modules"));
      mkdirSync(join(folder, "client"));
      for (const file of ["openapi.json", "schema.graphql"]) copyFileSync(join(documents, file), join(folder, file));
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      writeFileSync(join(folder, "use.ts"), program.replaceAll("URL", url).replaceAll("KEY", ADMIN));
      const config = { compilerOptions: COMPILER_OPTIONS, files: ["use.ts"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      generate(folder);
      runCommand("tsc", ["-p", "."], folder);
      const bundle = ["use.ts", "--bundle", "--format=esm", "--platform=node", "--outfile=use.mjs"];
      runCommand("esbuild", [...bundle, "--log-level=error"], folder);
      const { status, stdout, stderr } = spawnSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" });
      if (status !== 0) throw new Error(`The program ended with ${status}:\n${stdout}\n${stderr}`);
    },
  };
}
