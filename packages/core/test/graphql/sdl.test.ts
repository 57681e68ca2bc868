import { buildSchema, GraphQLError } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore } from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

function shop(options: { readonly title?: z.ZodType<string | null>; readonly more?: boolean } = {}) {
  const { title = z.string(), more = false } = options;
  const book = defineResource("book", {
    fields: {
      id: z.uuid(),
      title,
      soldOn: z.iso.date(),
      old: z
        .string()
        .nullable()
        .meta({ deprecated: true, deprecation: { reason: "Ask for 'title'." } }),
      ...(more ? { pages: z.int32().nullable() } : {}),
    },
    access,
  });
  return defineApi({ resources: [book] }).graphql;
}

test("gives two sort fields two names in the enum", () => {
  const book = defineResource("book", {
    fields: { id: z.uuid(), createdAt: z.string(), created_at: z.string() },
    access,
    sortable: ["createdAt", "created_at"],
  });
  expect(() => defineApi({ resources: [book] })).toThrow(
    "In the GraphQL enum 'BookSort', 'createdAt' and 'created_at' would have the same name CREATED_AT_ASC.",
  );
});

test("reports a type that the enum of soft delete already uses", () => {
  const define = (options: object) =>
    defineApi({
      resources: [
        defineResource("row", {
          fields: { id: z.string(), deletedAt: z.iso.datetime().nullable() },
          softDelete: "deletedAt",
          access,
          bulk: { delete: 5 },
          ...options,
        } as never),
      ],
      store: memoryStore(),
    });
  expect(() => define({})).toThrow(
    "row: It generates the GraphQL type 'DeletedRows', which is already used by the argument 'deleted' of softDelete.\n    Rename the resource or the action, or set another 'plural'.",
  );
  expect(() => define({ plural: "tableRows" })).not.toThrow();
});

describe("sdl", () => {
  test("is sorted and always the same", () => {
    const { sdl } = shop();
    expect(sdl()).toBe(sdl());
    expect(sdl()).toBe(shop().sdl());
    const types = [...sdl().matchAll(/^(?:type|input|enum|scalar|interface|union) (\w+)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(types.length).toBeGreaterThan(8);
    expect(types).toEqual(types.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(sdl().endsWith("}\n")).toBe(true);
  });

  test("includes the directives of types", () => {
    const { sdl } = shop();
    expect(sdl()).toContain(`old: String @deprecated(reason: "Ask for 'title'.")`);
    expect(sdl()).toMatch(/scalar Date\s+@specifiedBy\(url: "https:\/\/.+"\)/);
  });

  test("is a complete schema", () => {
    expect(() => buildSchema(shop().sdl())).not.toThrow(GraphQLError);
  });
});
