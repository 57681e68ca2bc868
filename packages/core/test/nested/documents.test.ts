import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  functionStore,
  hasMany,
  memoryStore,
  sequence,
} from "../../src/index.ts";
import { ask } from "../request.ts";
import { createShelf } from "./shelf.ts";

const typeOf = (sdl: string, name: string): string => new RegExp(`input ${name} \\{[^}]*\\}`).exec(sdl)?.[0] ?? "";

describe("nested creates in the schemas", () => {
  test("GraphQL", () => {
    const sdl = createShelf().graphql.sdl();
    expect(typeOf(sdl, "CreateWriterInput")).toMatchInlineSnapshot(`
      "input CreateWriterInput {
        name: String!

        """A Profile to create in the same request."""
        profile: CreateWriterProfileInput

        """Up to 3 works to create in the same request."""
        works: [CreateWriterWorksInput!]
      }"
    `);
    expect(typeOf(sdl, "CreateWriterWorksInput")).toMatchInlineSnapshot(`
      "input CreateWriterWorksInput {
        """A House to create in the same request, instead of \`houseId\`."""
        house: CreateHouseInput
        houseId: ID

        """Up to 2 opinions to create in the same request."""
        opinions: [CreateWorkOpinionsInput!]
        title: String!
        year: Int = 2000
      }"
    `);
    expect(typeOf(sdl, "CreateWorkInput")).toMatchInlineSnapshot(`
      "input CreateWorkInput {
        """A House to create in the same request, instead of \`houseId\`."""
        house: CreateHouseInput
        houseId: ID

        """Up to 2 opinions to create in the same request."""
        opinions: [CreateWorkOpinionsInput!]
        title: String!

        """A Writer to create in the same request, instead of \`writerId\`."""
        writer: CreateWriterInput
        writerId: ID
        year: Int = 2000
      }"
    `);
    expect(typeOf(sdl, "UpdateWriterInput")).not.toContain("works");
  });

  test("OpenAPI", () => {
    const { schemas } = createShelf().openapi("", "3.1", "all").components as { schemas: Record<string, unknown> };
    const { CreateWriter, CreateWriter_works, CreateWork } = schemas;
    expect({ CreateWriter, CreateWriter_works, CreateWork }).toMatchInlineSnapshot(`
      {
        "CreateWork": {
          "additionalProperties": false,
          "allOf": [
            {
              "oneOf": [
                {
                  "required": [
                    "writerId",
                  ],
                },
                {
                  "properties": {
                    "writer": {
                      "not": {
                        "type": "null",
                      },
                    },
                  },
                  "required": [
                    "writer",
                  ],
                },
              ],
            },
            {
              "not": {
                "properties": {
                  "house": {
                    "not": {
                      "type": "null",
                    },
                  },
                },
                "required": [
                  "houseId",
                  "house",
                ],
              },
            },
          ],
          "properties": {
            "house": {
              "anyOf": [
                {
                  "$ref": "#/components/schemas/CreateHouse",
                },
                {
                  "type": "null",
                },
              ],
            },
            "houseId": {
              "examples": [
                1,
              ],
              "maximum": 2147483647,
              "minimum": -2147483648,
              "type": [
                "integer",
                "null",
              ],
            },
            "opinions": {
              "items": {
                "$ref": "#/components/schemas/CreateWork_opinions",
              },
              "maxItems": 2,
              "type": [
                "array",
                "null",
              ],
            },
            "title": {
              "examples": [
                "text",
              ],
              "minLength": 1,
              "type": "string",
            },
            "writer": {
              "anyOf": [
                {
                  "$ref": "#/components/schemas/CreateWriter",
                },
                {
                  "type": "null",
                },
              ],
            },
            "writerId": {
              "examples": [
                1,
              ],
              "maximum": 2147483647,
              "minimum": -2147483648,
              "type": "integer",
            },
            "year": {
              "default": 2000,
              "examples": [
                1,
              ],
              "maximum": 2147483647,
              "minimum": -2147483648,
              "type": "integer",
            },
          },
          "required": [
            "title",
          ],
          "type": "object",
        },
        "CreateWriter": {
          "additionalProperties": false,
          "properties": {
            "name": {
              "examples": [
                "text",
              ],
              "minLength": 1,
              "type": "string",
            },
            "profile": {
              "anyOf": [
                {
                  "$ref": "#/components/schemas/CreateWriter_profile",
                },
                {
                  "type": "null",
                },
              ],
            },
            "works": {
              "items": {
                "$ref": "#/components/schemas/CreateWriter_works",
              },
              "maxItems": 3,
              "type": [
                "array",
                "null",
              ],
            },
          },
          "required": [
            "name",
          ],
          "type": "object",
        },
        "CreateWriter_works": {
          "additionalProperties": false,
          "allOf": [
            {
              "not": {
                "properties": {
                  "house": {
                    "not": {
                      "type": "null",
                    },
                  },
                },
                "required": [
                  "houseId",
                  "house",
                ],
              },
            },
          ],
          "properties": {
            "house": {
              "anyOf": [
                {
                  "$ref": "#/components/schemas/CreateHouse",
                },
                {
                  "type": "null",
                },
              ],
            },
            "houseId": {
              "examples": [
                1,
              ],
              "maximum": 2147483647,
              "minimum": -2147483648,
              "type": [
                "integer",
                "null",
              ],
            },
            "opinions": {
              "items": {
                "$ref": "#/components/schemas/CreateWork_opinions",
              },
              "maxItems": 2,
              "type": [
                "array",
                "null",
              ],
            },
            "title": {
              "examples": [
                "text",
              ],
              "minLength": 1,
              "type": "string",
            },
            "year": {
              "default": 2000,
              "examples": [
                1,
              ],
              "maximum": 2147483647,
              "minimum": -2147483648,
              "type": "integer",
            },
          },
          "required": [
            "title",
          ],
          "type": "object",
        },
      }
    `);
  });

  test("a resource can nest itself, and ids can be global", async () => {
    const folder = defineResource("folder", {
      fields: { id: z.int32(), name: z.string(), parentId: z.int32().nullish() },
      generated: { id: sequence() },
      relations: {
        parent: belongsTo("folder", "parentId", { creates: 1 }),
        children: hasMany("folder", "parentId", { creates: 2 }),
      },
      access: { read: allow, create: allow, update: allow, delete: allow },
    });
    const api = defineApi({ resources: [folder], store: memoryStore(), graphql: { globalIds: true } });
    const create = (input: string) => ask(api, `mutation { createFolder(input: ${input}) { id parent { name } } }`);
    const first = await create(
      '{ name: "b", parent: { name: "a" }, children: [{ name: "c", children: [{ name: "d" }] }] }',
    );
    const { id } = (first.data as { createFolder: { id: string } }).createFolder;
    expect(first.data?.["createFolder"]).toMatchObject({ parent: { name: "a" } });
    expect(await create(`{ name: "e", parentId: "${id}", children: [{ name: "f" }] }`)).not.toHaveProperty("errors");
    expect((await api.local.folder.list({ select: { name: true, parentId: true } })).items).toEqual([
      { name: "a", parentId: undefined },
      { name: "b", parentId: 1 },
      { name: "c", parentId: 2 },
      { name: "d", parentId: 3 },
      { name: "e", parentId: 2 },
      { name: "f", parentId: 5 },
    ]);
  });
});

describe("rejects a definition", () => {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const leaf = defineResource("leaf", {
    fields: { id: z.int32(), treeId: z.int32() },
    relations: { tree: belongsTo("tree", "treeId") },
    access,
  });
  const treeWith = (creates: number) =>
    defineResource("tree", {
      fields: { id: z.int32() },
      relations: { leaves: hasMany("leaf", "treeId", { creates }) },
      access,
    });

  test("if one transaction cannot hold both", () => {
    const resources = [treeWith(2), leaf] as const;
    expect(() => defineApi({ resources, stores: { leaf: memoryStore() } })).toThrow(/are in different stores/);
    const store = functionStore({
      tree: { list: () => [], create: (row) => row },
      leaf: { list: () => [], create: (row) => row },
    });
    expect(() => defineApi({ resources, store })).toThrow(/has no transactions/);
  });

  test.each([-1, 1.5, "3" as never])("if 'creates' is %s", (creates) => {
    expect(() => defineApi({ resources: [treeWith(creates), leaf] })).toThrow(
      /tree.relations.leaves: creates can't be .*\n.*Pass a whole number, 0 or more/,
    );
  });

  test("if two relations set the same key field differently", () => {
    const resources = [
      treeWith(0),
      defineResource("leaf", {
        fields: { id: z.int32(), treeId: z.int32() },
        relations: {
          tree: belongsTo("tree", "treeId", { creates: 1 }),
          root: belongsTo("tree", "treeId", { creates: 1 }),
        },
        access,
      }),
    ] as const;
    expect(() => defineApi({ resources })).toThrow(/'tree' already sets 'treeId' of a new row/);
  });

  test("if the nested input would have no fields", () => {
    const counted = defineResource("leaf", {
      fields: { id: z.int32(), treeId: z.int32() },
      generated: { id: sequence() },
      access,
    });
    expect(() => defineApi({ resources: [treeWith(1), counted] })).toThrow(/no fields that a caller could set/);
  });

  test("if callers cannot write the reference", () => {
    const hidden = defineResource("leaf", {
      fields: { id: z.int32(), treeId: z.int32().nullable() },
      internal: ["treeId"],
      access,
    });
    expect(() => defineApi({ resources: [treeWith(1), hidden] })).toThrow(/Callers can't write 'leaf.treeId'/);
  });
});
