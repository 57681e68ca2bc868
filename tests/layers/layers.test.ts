import { expect, test } from "vitest";
import {
  ambiguousNames,
  clientMistakes,
  decisionIn,
  importsOf,
  mistakeIn,
  nodeMistakes,
  packageSources,
  sourcesOf,
} from "./check-layers.ts";
import { findCycles } from "./find-cycles.ts";

test.each([
  ["rest/read/handle-read.ts", "engine/engine.ts"],
  ["rest/rest.ts", "graphql/graphql.ts"],
  ["engine/write/deletion/plan-deletion.ts", "rest/rest.ts"],
  ["store/memory/walk.ts", "engine/engine.ts"],
  ["util/json.ts", "errors/codes.ts"],
  ["http/handler.ts", "rest/rest.ts"],
  ["model/model.ts", "index.ts"],
  ["made-up/a.ts", "model/model.ts"],
  ["rest/read/handle-read.ts", "engine/access/refuse-named.ts"],
  ["graphql/reader.ts", "engine/access/decide.ts"],
  ["local/local.ts", "engine/run-get.ts"],
  ["api/api.ts", "engine/access/refuse-named.ts"],
  ["rest/routes/endpoints.ts", "rest/json-api/relationship-routes.ts"],
  ["api/api.ts", "rest/json-api/json-api.ts"],
])("%s must not import %s", (from, to) => {
  expect(mistakeIn({ from, to })).toContain(from);
});

test.each([
  ["rest/read/handle-read.ts", "operation/operation.ts"],
  ["engine/engine.ts", "store/store.ts"],
  ["api/api.ts", "rest/rest.ts"],
  ["rest/rest.ts", "rest/read/handle-read.ts"],
  ["index.ts", "api/api.ts"],
  ["engine/run-get.ts", "engine/access/refuse-named.ts"],
  ["rest/formats/formats.ts", "rest/json-api/json-api.ts"],
  ["rest/json-api/json-api.ts", "rest/json-api/linkage.ts"],
  ["explain/explain-rule.ts", "engine/access/lower-answer.ts"],
])("%s may import %s", (from, to) => {
  expect(mistakeIn({ from, to })).toBeUndefined();
});

test.each(["rest/read/handle-read.ts", "graphql/reader.ts", "local/local.ts"])(
  "%s must not refuse access itself",
  (path) => {
    expect(decisionIn({ path, text: 'throw new BifocalError("UNAUTHENTICATED", message);' })).toContain(path);
    expect(decisionIn({ path, text: 'const issues = [{ path, message, code: "not_readable" }];' })).toContain(path);
    expect(decisionIn({ path, text: "const { named } = shape;" })).toBeUndefined();
  },
);

test("only two folders import modules of Node", () => {
  const text =
    'import { randomUUID } from "node:crypto";\nimport type { Server } from "node:http";\nawait import("node:fs");';
  expect(nodeMistakes({ path: "engine/engine.ts", text })).toEqual([
    expect.stringContaining("engine/engine.ts imports node:crypto."),
    expect.stringContaining("engine/engine.ts imports node:fs."),
  ]);
  expect(nodeMistakes({ path: "runtime/crypto.ts", text })).toEqual([]);
  expect(sourcesOf(new URL("../../packages/core/src", import.meta.url).pathname).flatMap(nodeMistakes)).toEqual([]);
});

test("other folders may refuse access", () => {
  const text = 'throw new BifocalError("UNAUTHENTICATED", message);';
  expect(["engine/access/decide.ts", "auth/credentials.ts"].map((path) => decisionIn({ path, text }))).toEqual([
    undefined,
    undefined,
  ]);
});

test("finds files that import each other in a circle", () => {
  const imports = ["a b", "b c", "c a", "c d", "d e", "e d", "f a", "e g"].map((edge) => {
    const [from = "", to = ""] = edge.split(" ");
    return { from, to };
  });
  expect(findCycles(imports)).toEqual([
    ["a", "b", "c"],
    ["d", "e"],
  ]);
});

test("two files must not export the same name", () => {
  const sources = [
    { path: "rest/link.ts", text: "export function linkTo(name: string): string;" },
    { path: "model/link.ts", text: "export const linkTo = String;\nexport type Name = string;" },
    { path: "graphql/link.ts", text: "const linkTo = String;\nexport interface Link {}" },
  ];
  expect(ambiguousNames(sources)).toEqual([
    "'linkTo' is declared in rest/link.ts and model/link.ts. Rename one, or share one declaration.",
  ]);
});

test("no name of core is exported by two files", () => {
  expect(ambiguousNames(sourcesOf(new URL("../../packages/core/src", import.meta.url).pathname))).toEqual([]);
});

test("every import of core is found, and all follow the order without a circle", () => {
  const root = new URL("../../packages/core/src", import.meta.url).pathname;
  const sources = sourcesOf(root);
  const imports = importsOf(root, sources);
  expect(imports.length).toBeGreaterThan(2_000);
  expect([...imports.map(mistakeIn), ...sources.map(decisionIn)].filter((found) => found !== undefined)).toEqual([]);
  expect(findCycles(imports)).toEqual([]);
});

test.each([
  ["core/client/main.ts", 'import { html } from "../src/rest/formats/html/html.ts";'],
  ["core/client/main.ts", 'import "../src/index.ts";'],
  ["core/client/main.ts", 'import { type Json } from "../src/util/json.ts";'],
  ["core/client/forms/send-form.ts", 'import type { Page } from "../../../graphiql/src/page.ts";'],
  ["core/src/rest/rest.ts", 'import { start } from "../../client/main.ts";'],
])("%s must not contain %s", (path, text) => {
  expect(clientMistakes({ path, text })).toHaveLength(1);
});

test.each([
  ["core/client/main.ts", 'import type { Json } from "../src/util/json.ts";\nimport { a } from "./forms/a.ts";'],
  ["graphiql/client/main.ts", 'import { GraphiQL } from "graphiql";\nimport "./page.css";'],
  ["core/src/rest/rest.ts", 'import { html } from "./formats/html/html.ts";'],
])("%s may contain %s", (path, text) => {
  expect(clientMistakes({ path, text })).toEqual([]);
});

test("browser code is separate from server code in every package", () => {
  const sources = packageSources();
  const folders = new Set(sources.map(({ path }) => path.split("/", 2).join("/")));
  expect([...folders].filter((folder) => folder.endsWith("/client")).toSorted()).toEqual([
    "console/client",
    "core/client",
    "graphiql/client",
    "scalar/client",
    "swagger-ui/client",
  ]);
  expect(sources.flatMap(clientMistakes)).toEqual([]);
});
