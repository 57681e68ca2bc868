import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany } from "../../../src/index.ts";
import { countingStore } from "../../counting-store.ts";
import { answerParts } from "./answer-parts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const shelf = defineResource("shelf", {
  fields: { room: z.string(), place: z.int32(), label: z.string() },
  key: ["room", "place"],
  access,
});
const owner = defineResource("owner", {
  fields: { id: z.int32(), name: z.string() },
  relations: { items: hasMany("item", "ownerId") },
  access,
});
const item = defineResource("item", {
  fields: { id: z.int32(), name: z.string(), ownerId: z.int32() },
  relations: { owner: belongsTo("owner", "ownerId") },
  access,
});

function start(globalIds = false) {
  const { store, calls } = countingStore({
    data: {
      shelf: [
        { room: "a", place: 1, label: "A1" },
        { room: "b", place: 2, label: "B2" },
      ],
      owner: [{ id: 1, name: "Ann" }],
      item: [{ id: 1, name: "Lamp", ownerId: 1 }],
    },
  });
  const extend = {
    typeDefs: "extend type Owner { shout: String } extend type Query { first: Owner }",
    resolvers: { Query: { first: () => 1 } },
    fields: { owner: { shout: { needs: ["name"], resolve: ({ name = "" }) => name.toUpperCase() } } },
  } as const;
  const api = defineApi({
    resources: [shelf, owner, item],
    store,
    graphql: { incremental: true, globalIds, extend },
  });
  return { api, calls };
}

describe("rows that are read in a later part", () => {
  test.each<[string, string, object, readonly string[]]>([
    [
      "by a key of two fields",
      "{ shelfs { nodes { room ... @defer { label } } } }",
      [{ label: "A1" }, { label: "B2" }],
      ["shelf.list", "shelf.list"],
    ],
    [
      "for a host's field, which needs more fields of the row",
      "{ owner(id: 1) { id ... @defer { shout } } }",
      [{ shout: "ANN" }],
      ["owner.byKeys(1)", "owner.byKeys(1)"],
    ],
    [
      "of a row that a resolver of the host returned",
      "{ first { id ... @defer { items { nodes { name } } } } }",
      [{ items: { nodes: [{ name: "Lamp" }] } }],
      ["owner.list", "owner.byKeys(1)", "item.listPer(1)"],
    ],
  ])("%s", async (_, query, data, expected) => {
    const { api, calls } = start();
    const { parts } = await answerParts(api, query);
    expect(parts.length).toBe(2);
    const { incremental } = parts[1] as { readonly incremental: readonly { readonly data: object }[] };
    expect(incremental.map((one) => one.data)).toEqual(data);
    expect(calls).toEqual(expected);
  });

  test("by global ids, including those of nodes", async () => {
    const { api, calls } = start(true);
    const id = Buffer.from("Owner:1").toString("base64url");
    const query = "query ($id: ID!) { node(id: $id) { id ... on Owner @defer { items { nodes { ownerId } } } } }";
    const { parts } = await answerParts(api, query, { variables: { id } });
    expect(parts).toMatchObject([
      { data: { node: { id } } },
      { incremental: [{ data: { items: { nodes: [{ ownerId: id }] } } }] },
    ]);
    expect(calls).toEqual(["owner.list", "owner.byKeys(1)", "item.listPer(1)"]);
  });
});
