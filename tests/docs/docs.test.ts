import { ERROR_STATUS } from "@bifocal/core";
import { createBookstore, startBookstore } from "@bifocal/example-bookstore/start";
import { parse, validate } from "graphql";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS, send } from "../bookstore/stores.ts";
import { COMPILER_OPTIONS } from "../types/compiler-options.ts";
import { readMessage } from "./read-message.ts";
import { links, ROOT, type Snippet, snippets } from "./snippets.ts";

const of = (language: string): readonly Snippet[] => snippets().filter((snippet) => snippet.language === language);

test("every TypeScript example compiles", () => {
  const folder = `${ROOT}tests/docs/`;
  const blocks = new Map(of("ts").map(({ text }, index) => [`${folder}snippet-${index}.ts`, `${text}\nexport {};\n`]));
  const places = new Map(of("ts").map(({ at }, index) => [`${folder}snippet-${index}.ts`, at]));
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  const disk = ts.createCompilerHost(COMPILER_OPTIONS);
  host.fileExists = (name) => blocks.has(name) || disk.fileExists(name);
  host.readFile = (name) => blocks.get(name) ?? disk.readFile(name);
  host.getSourceFile = (name, options, ...others) => {
    const text = blocks.get(name);
    return text === undefined ? disk.getSourceFile(name, options, ...others) : ts.createSourceFile(name, text, options);
  };
  const program = ts.createProgram([...blocks.keys(), `${folder}globals.ts`], COMPILER_OPTIONS, host);
  const problems = [...blocks.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${places.get(name)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
  expect(problems).toEqual([]);
  expect(blocks.size).toBeGreaterThan(20);
}, 60_000);

describe("examples against the bookstore", () => {
  let store: Awaited<ReturnType<typeof startBookstore>>;
  beforeAll(async () => {
    store = await startBookstore({ adapter: "node-http", port: 0, keys: KEYS });
  });
  afterAll(() => store.close());

  test.each(of("http"))("$at succeeds", async ({ text }) => {
    const { method, path, headers, content } = readMessage(text);
    const parts = content === "" ? { headers } : { headers, body: content };
    const { status, body } = await send(store.url, method, path, { as: "admin", ...parts });
    expect(status < 300 ? [] : [status, body]).toEqual([]);
    // An example without results would show nothing.
    expect(body).not.toEqual([]);
  });

  test.each(of("graphql"))("$at succeeds", async ({ text }) => {
    const { api } = createBookstore({ keys: KEYS });
    expect(validate(api.graphql.schema, parse(text))).toEqual([]);
    if (text.startsWith("subscription")) return;
    const [query = "", values = "{}"] = text.split("\n\n# Variables\n");
    const variables = JSON.parse(values.replaceAll(/^# /gm, "")) as object;
    const { body } = await send(store.url, "POST", "/graphql", { as: "admin", body: { query, variables } });
    expect(body).not.toHaveProperty("errors");
  });
});

test("lists every error with its status", () => {
  const page = readFileSync(`${ROOT}docs/errors.md`, "utf8");
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const row = page.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${code}\``));
    expect(`${code} ${row}`).toContain(String(status));
  }
});

test.each(links().filter(({ target }) => !target.startsWith("http")))("$page links to $target", ({ page, target }) => {
  expect(existsSync(join(ROOT, dirname(page), target.split("#", 1)[0] as string))).toBe(true);
});
