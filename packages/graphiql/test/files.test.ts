import { expect, test } from "vitest";
import { bundle } from "../bundle.ts";
import { FILES } from "../src/files.ts";
import { graphiql } from "../src/index.ts";

const { files, licenses } = bundle();
const text = (name: string): string => new TextDecoder().decode(files.get(name));

test("serves exactly the built files", () => {
  expect([...files.keys()].toSorted()).toEqual(Object.keys(FILES).toSorted());
  const { assets } = graphiql();
  for (const [name, contents] of files) {
    const { body } = assets[name] as (typeof assets)[string];
    expect([name, Buffer.from(typeof body === "function" ? body() : body).equals(contents)]).toEqual([name, true]);
  }
}, 60_000);

test("embeds fonts and images in the style sheet", () => {
  const urls = [...text("graphiql.css").matchAll(/url\(["']?([a-z]*)/g)].map(([, scheme]) => scheme);
  expect(new Set(urls)).toEqual(new Set(["data"]));
  expect(text("graphiql.css")).not.toContain("@import");
});

test("names every bundled package with its license, and the licenses match package.json", () => {
  const heads = [...licenses.matchAll(/^## (\S+) \S+: (.+)$/gm)];
  expect(heads.map(([, name]) => name)).toEqual(
    expect.arrayContaining(["graphiql", "monaco-editor", "react", "graphql-sse"]),
  );
  const expressions = new Set(heads.map(([, , license]) => license));
  expect(expressions).toEqual(new Set(["MIT", "Apache-2.0", "BSD-2-Clause", "0BSD"]));
});
