import { readFileSync } from "node:fs";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { evaluate, textOf } from "../translate/read-again.ts";
import { readMessage } from "./read-message.ts";
import { writeRequests } from "./requests/write-requests.ts";
import { PAGES, ROOT } from "./snippets.ts";

const TRANSLATED =
  /^```http\n([^`]*)^```\n\n<details><summary>.*<\/summary>\n(?:\n```graphql\n([^`]*)^```\n)?(?:\n```typescript\nawait ([^`]*);\n```\n)?\n<\/details>/gm;

const translated = PAGES.flatMap((page) =>
  [...readFileSync(ROOT + page, "utf8").matchAll(TRANSLATED)].map(([, rest = "", graphql, code], index) => ({
    at: `${page}, request ${index + 1}`,
    rest,
    graphql,
    code,
  })),
);

test("finds translated requests", () => {
  expect(translated.length).toBeGreaterThan(8);
});

test.each(PAGES)("%s has the current translations (`npm run docs:requests` writes them)", async (page) => {
  const text = readFileSync(ROOT + page, "utf8");
  expect(await writeRequests(text)).toBe(text);
});

test.each(translated)("$at is the same operation in each style", async ({ rest, graphql, code }) => {
  const { api } = createBookstore({ keys: KEYS });
  const { method, path, headers, content } = readMessage(rest);
  const body = content === "" ? {} : { body: JSON.parse(content) as unknown };
  const [{ operation } = { operation: undefined }] = await api.translate({ method, url: path, headers, ...body });
  if (operation === undefined) throw new Error("The request has no operation.");
  const texts: string[] = [];
  if (graphql !== undefined) {
    const [document = "", values = "{}"] = graphql.split("\n\n# Variables\n");
    const variables = JSON.parse(values.replaceAll(/^# /gm, "")) as Record<string, unknown>;
    const [again] = await api.translate({ document, variables });
    texts.push(again === undefined ? "" : textOf(api, again.operation));
  }
  if (code !== undefined) texts.push(await evaluate(api, code));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toBe(textOf(api, operation));
  await api.close();
});
