import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "./snippets.ts";

const HEAD = `# Messages

Every sentence that clients and terminals can show: errors, warnings, log messages and descriptions, by folder. \`{…}\` stands for a value.
This page is generated. To update it, run \`npx vitest run --project tests tests/docs/messages -u\`.
`;

const SOURCES = ["core", "sql", "redis", "nats", "jwt", "opentelemetry", "node-http", "express", "fastify", "fetch"];

test("lists every message of the sources", async () => {
  const messages = new Map<string, Set<string>>();
  for (const name of SOURCES) {
    for (const file of globSync(`packages/${name}/src/**/*.ts`, { cwd: ROOT })) {
      if (/\.test(-d)?\.ts$/.test(file)) continue;
      const folder = file
        .replaceAll("\\", "/")
        .split("/")
        .slice(1, -1)
        .filter((part) => part !== "src")
        .slice(0, 2)
        .join("/");
      const found = messages.get(folder) ?? new Set();
      messages.set(folder, found);
      for (const text of textsOf(`${ROOT}${file}`)) if (isSentence(text)) found.add(text);
    }
  }
  const parts = [...messages].filter(([, found]) => found.size > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const lists = parts.map(
    ([folder, found]) =>
      `\n## ${folder}\n${[...found]
        .sort()
        .map((text) => `- ${text}\n`)
        .join("")}`,
  );
  await expect(HEAD + lists.join("")).toMatchFileSnapshot("../../docs/messages.md");
});

function textsOf(file: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const rest = node.templateSpans.map(({ expression, literal }) => `{${nameOf(expression)}}${literal.text}`);
      texts.push(node.head.text + rest.join(""));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));
  return texts;
}

/** The last name in an expression: `title` for `one.resource.title` and for `quote(title)`. */
function nameOf(expression: ts.Expression): string {
  return /(\w+)\W*$/.exec(expression.getText())?.[1] ?? "…";
}

function isSentence(text: string): boolean {
  return /^[A-Z'`{]/.test(text) && /[a-z]{2,} [a-z'`{(]/.test(text) && /[.]$/.test(text) && !text.includes("\n");
}
