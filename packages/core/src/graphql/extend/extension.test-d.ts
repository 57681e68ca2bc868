import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineApi } from "../../api/api.ts";
import { defineResource } from "../../definition/define-resource.ts";
import type { Principal } from "../../definition/principal.ts";
import { belongsTo } from "../../definition/relations.ts";
import { allow } from "../../definition/rules.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.uuid(), name: z.string() }, access });
const book = defineResource("book", {
  fields: {
    id: z.int(),
    title: z.string(),
    soldAt: z.date().nullable(),
    authorId: z.uuid(),
    cost: z.number().nullable(),
  },
  internal: ["cost"],
  relations: { author: belongsTo("author", "authorId") },
  access,
});

test("a host's resolvers have typed rows, arguments and context", () => {
  const { local } = defineApi({
    resources: [author, book],
    graphql: {
      extend: {
        typeDefs: "extend type Book { a: Int b: Int } extend type Query { c: Int }",
        fields: {
          book: {
            a: {
              needs: ["title", "soldAt"],
              resolve(row, { n }: { n: number }, context) {
                expectTypeOf(row).not.toBeAny();
                expectTypeOf(row.title).toEqualTypeOf<string | undefined>();
                expectTypeOf(row.soldAt).toEqualTypeOf<Date | null | undefined>();
                expectTypeOf(row.id).toEqualTypeOf<number | undefined>();
                expectTypeOf(row).not.toHaveProperty("cost");
                expectTypeOf(context.principal).toEqualTypeOf<Principal | null>();
                expectTypeOf(context.signal).toEqualTypeOf<AbortSignal | undefined>();
                expectTypeOf(context.local.book.list).not.toBeAny();
                return n;
              },
            },
            b: (row, args, context) => {
              expectTypeOf(row.title).toEqualTypeOf<string | undefined>();
              expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
              return context.local.author.list();
            },
          },
        },
        resolvers: {
          Query: {
            c: async (source, _args, context) => {
              expectTypeOf(source).toEqualTypeOf<unknown>();
              const { items } = await context.local.book.list({ select: { title: true } });
              expectTypeOf(items).toEqualTypeOf<{ title: string }[]>();
              return items.length;
            },
          },
        },
      },
    },
  });
  expectTypeOf<keyof typeof local>().toEqualTypeOf<"author" | "book">();
});

test("rejects mistakes in an extension", () => {
  const resolve = (): null => null;
  const resources = [author, book] as const;
  // @ts-expect-error there is no resource 'bok'
  defineApi({ resources, graphql: { extend: { fields: { bok: { a: resolve } } } } });
  // @ts-expect-error there is no field 'titel'
  defineApi({ resources, graphql: { extend: { fields: { book: { a: { needs: ["titel"], resolve } } } } } });
  // @ts-expect-error an internal field is not handed out
  defineApi({ resources, graphql: { extend: { fields: { book: { a: { needs: ["cost"], resolve } } } } } });
  // @ts-expect-error a resolver is a function
  defineApi({ resources, graphql: { extend: { resolvers: { Query: { a: 5 } } } } });
});
