import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { COMPILER_OPTIONS } from "../types/compiler-options.ts";
import { HOSTS, MAX_START_MS, MISSING, RUNTIMES } from "./host.ts";
import { startWorker } from "./start-worker.ts";

const REST_AUDITS = 60;
const QUERY_AUDITS = 3;
const FOLDER = resolve(import.meta.dirname, "hosts/a/b/c");
const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/adapters.md"), "utf8");

/** The API of the examples. */
const API = `
import { allow, defineApi, defineResource, uuid } from "@bifocal/core";
import { z } from "zod";
const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.uuid(), title: z.string() };
const book = defineResource("book", { fields, generated: { id: uuid() }, access });
export const createApi = () => defineApi({ resources: [book], warnings: false });
`;

const OPTIONS: ts.CompilerOptions = {
  ...COMPILER_OPTIONS,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

function blocks(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);
}

/** Returns the cells of all tables after a heading. */
function rowsAfter(heading: string): readonly string[][] {
  const [, text = ""] = PAGE.split(`${heading}\n`);
  return [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
}

test("docs/adapters.md states what the tests run on each host", () => {
  const rows = rowsAfter("### What the tests run");
  const expected = HOSTS.map(({ name, lacksQuery, lacksSockets }) => [
    name,
    "61",
    String(lacksQuery === true ? REST_AUDITS - QUERY_AUDITS : REST_AUDITS),
    "yes",
    "yes",
    "yes",
    lacksSockets === true ? "no" : "yes",
    "yes",
    "yes",
  ]);
  for (const row of expected) expect(rows).toContainEqual(row);
});

test("docs/adapters.md states the stores of each runtime", () => {
  const rows = rowsAfter("### Stores by runtime");
  for (const { name, lacksSqlite = false } of RUNTIMES)
    expect(rows).toContainEqual([name.replace("Hono on ", ""), "yes", lacksSqlite ? "no" : "yes", "yes", "yes"]);
});

describe.skipIf(MISSING !== undefined)(`docs/adapters.md ${MISSING ?? ""}`, () => {
  test("has examples of frameworks that compile", { timeout: MAX_START_MS }, () => {
    const examples = blocks("typescript").map((text, index) => [`${FOLDER}/example-${index}.ts`, text] as const);
    const api = `${API}export const api = createApi();`;
    const shared = [
      [`${FOLDER}/api.ts`, api],
      [`${FOLDER}/app.module.ts`, "export class AppModule {}"],
      [resolve(FOLDER, "../../../api.ts"), api],
    ] as const;
    const files = new Map([...examples, ...shared]);
    const disk = ts.createCompilerHost(OPTIONS);
    const host: ts.CompilerHost = {
      ...disk,
      fileExists: (name) => files.has(name) || disk.fileExists(name),
      directoryExists: (name) => FOLDER.startsWith(name) || disk.directoryExists?.(name) === true,
      readFile: (name) => files.get(name) ?? disk.readFile(name),
      getSourceFile: (name, options, ...others) => {
        const text = files.get(name);
        return text === undefined
          ? disk.getSourceFile(name, options, ...others)
          : ts.createSourceFile(name, text, options);
      },
    };
    const names = examples.map(([name]) => name);
    const program = ts.createProgram(names, OPTIONS, host);
    const problems = names.flatMap((name) => {
      const source = program.getSourceFile(name);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
    });
    expect(problems).toEqual([]);
    expect(names).toHaveLength(5);
  });

  test("has a worker that serves both styles", { timeout: MAX_START_MS }, async () => {
    const worker = blocks("js").find((text) => text.startsWith("// worker.js")) ?? "";
    const { port, close } = await startWorker({
      stdin: { contents: worker, resolveDir: import.meta.dirname },
      plugins: [
        {
          name: "documented-api",
          setup(build) {
            build.onResolve({ filter: /^\.\/api\.ts$/ }, ({ path }) => ({ path, namespace: "documented" }));
            build.onLoad({ filter: /./, namespace: "documented" }, () => ({
              contents: API,
              loader: "ts",
              resolveDir: import.meta.dirname,
            }));
          },
        },
      ],
      define: { "process.env.NODE_ENV": '"production"' },
    });
    try {
      const url = `http://127.0.0.1:${port}/api`;
      const body = JSON.stringify({ title: "Emma" });
      const headers = { "content-type": "application/json" };
      expect((await fetch(`${url}/books`, { method: "POST", headers, body })).status).toBe(201);
      const query = new URLSearchParams({ query: "{ books { nodes { title } } }" });
      const asked = await fetch(`${url}/graphql?${query.toString()}`);
      expect(await asked.json()).toEqual({ data: { books: { nodes: [{ title: "Emma" }] } } });
      expect(asked.headers.get("ratelimit")).not.toBeNull();
    } finally {
      await close();
    }
  });
});
