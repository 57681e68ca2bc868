import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, hasMany, memoryStore } from "../../../src/index.ts";
import { answerParts } from "./answer-parts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const owner = defineResource("owner", {
  fields: { id: z.int32(), name: z.string() },
  relations: { items: hasMany("item", "ownerId") },
  access,
});
const item = defineResource("item", {
  fields: { id: z.int32(), price: z.int32(), ownerId: z.int32() },
  aggregatable: ["price"],
  access,
});

function createApi() {
  const data = {
    owner: [{ id: 1, name: "Ann" }],
    item: [
      { id: 1, price: 3, ownerId: 1 },
      { id: 2, price: 4, ownerId: 1 },
    ],
  }; // prettier-ignore
  return defineApi({ resources: [owner, item], store: memoryStore({ data }), graphql: { incremental: true } });
}

const SUM = "nodes { sum { price } }";

test.each<[string, string]>([
  ["of the root", `{ itemsAggregate { ${SUM} } ... @defer { itemsAggregate { nodes { count } } } }`],
  ["of a row", `{ owner(id: 1) { itemsAggregate { ${SUM} } ... @defer { itemsAggregate { nodes { count } } } } }`],
  [
    "in two deferred fragments, one within the other",
    `{ owner(id: 1) { id ... @defer { itemsAggregate { ${SUM} } ... @defer { itemsAggregate { nodes { count } } } } } }`,
  ],
  [
    "in a named fragment",
    `{ owner(id: 1) { a: itemsAggregate { ${SUM} } ...Late @defer } } fragment Late on Owner { a: itemsAggregate { nodes { count } } }`,
  ],
  [
    "of rows that are selected twice",
    `{ owners { nodes { itemsAggregate { ${SUM} } } } ... @defer { owners { nodes { itemsAggregate { nodes { count } } } } } }`,
  ],
  ["beneath the field", `{ itemsAggregate { ${SUM} ... @defer { nodes { count } } } }`],
])("measures of one aggregate inside and outside a deferred fragment: %s", async (_, query) => {
  const api = createApi();
  const { parts } = await answerParts(api, query);
  const text = JSON.stringify(parts);
  expect(parts.length).toBeGreaterThan(1);
  expect(text).not.toContain("errors");
  expect(text).toContain('"count":2');
  expect(text).toContain('"price":7');
  const skipped = await answerParts(api, query.replace("count", "count @skip(if: true) avg { price }"));
  expect(JSON.stringify(skipped.parts)).toContain('"avg":{"price":3.5}');
});
