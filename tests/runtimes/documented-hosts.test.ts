import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { HOSTS } from "./host.ts";

const REST_AUDITS = 60;
const QUERY_AUDITS = 3;

test("docs/adapters.md states what the tests run on each host", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/adapters.md"), "utf8");
  const [, table = ""] = page.split("## What the tests run");
  const rows = [...table.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
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
