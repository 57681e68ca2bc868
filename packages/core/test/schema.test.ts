import { graphql, printSchema } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  signedIn,
  uuid,
} from "../src/index.ts";

const author = defineResource("author", {
  fields: {
    id: z.uuid(),
    name: z.string().meta({ description: "As on the cover." }),
    email: z.email(),
    nick: z.string().nullable().meta({ deprecated: true }),
    secret: z.string().nullable(),
  },
  generated: { id: uuid() },
  internal: ["secret"],
  relations: { books: hasMany("book", "authorId") },
  access: {
    read: allow,
    create: signedIn,
    update: signedIn,
    delete: hasRole("admin"),
    fields: { email: { read: signedIn } },
  },
  filterable: ["name"],
  sortable: ["name"],
  description: "Who writes.",
});
const book = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string(),
    genre: z.enum(["novel", "poem"]).meta({ id: "Genre" }),
    size: z.object({ width: z.number(), height: z.number().optional() }).nullable(),
    authorId: z.uuid(),
  },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
  actions: {
    publish: {
      on: "item",
      input: z.object({ at: z.iso.date() }),
      access: signedIn,
      description: "Puts it on sale.",
      run: () => null,
    },
    count: { on: "collection", access: allow, output: z.int32(), run: () => 1 },
  },
});
const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string() },
  relations: { books: manyToMany("book") },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const data = {
  author: [{ id: "5f0c3a3e-6f6c-4b8e-9a3e-0d6f2f8f1f11", name: "A", email: "a@b.c", nick: null, secret: "x" }],
};
const api = defineApi({ resources: [author, book, tag], store: memoryStore({ data }) });

test("prints the complete schema", async () => {
  await expect(`${printSchema(api.graphql.schema)}\n`).toMatchFileSnapshot("schema.graphql");
});

test("includes descriptions and deprecations in both schemas", () => {
  const sdl = printSchema(api.graphql.schema);
  expect(sdl).toContain('"""Who writes."""\ntype Author {');
  expect(sdl).toContain('"""As on the cover."""\n  name: String!');
  expect(sdl).toContain("nick: String @deprecated");
  expect(sdl).toContain('"""Puts it on sale."""');
  const { components, paths } = api.openapi() as never as {
    components: { schemas: { Author: { description: string; properties: Record<string, object> } } };
    paths: Record<string, { post: object }>;
  };
  expect(components.schemas.Author).toMatchObject({
    description: "Who writes.",
    properties: { name: { description: "As on the cover." }, nick: { deprecated: true } },
  });
  expect(paths["/books/{id}/publish"]?.post).toMatchObject({ description: "Puts it on sale." });
});

test("omits internal fields from both schemas", () => {
  expect(printSchema(api.graphql.schema)).not.toContain("secret");
  expect(JSON.stringify(api.openapi())).not.toContain("secret");
});

test("runs the same schema on another server, with the same rules", async () => {
  const source = "{ authors { nodes { name email } } }";
  const { schema, context } = api.graphql;
  expect(await graphql({ schema, source, contextValue: context({ id: "ann" }) })).toMatchObject({
    data: { authors: { nodes: [{ name: "A", email: "a@b.c" }] } },
  });
  const nobody = await graphql({ schema, source, contextValue: { mine: 1, ...context(null) } });
  expect(nobody).toMatchObject({
    data: { authors: { nodes: [{ name: "A", email: null }] } },
    errors: [{ extensions: { code: "FORBIDDEN" } }],
  });
  const without = await graphql({ schema, source });
  expect(without.errors?.[0]?.message).toContain("api.graphql.context");
});
