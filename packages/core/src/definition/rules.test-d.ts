import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { allOf, unless, anyOf, through } from "./compose-rules.ts";
import { defineResource } from "./define-resource.ts";
import { belongsTo } from "./relations.ts";
import type { Rule } from "./rule.ts";
import { allow, deny, hasRole, owner, signedIn } from "./rules.ts";

const fields = { id: z.uuid(), ownerId: z.string(), status: z.enum(["open", "closed"]), stars: z.int32() };
const access = { read: allow, create: allow, update: allow, delete: allow };

test("a filter of a rule has `and`, `or` and `not`, with and without relations", () => {
  defineResource("note", {
    fields,
    access: {
      ...access,
      read: ({ principal }) => ({ or: [{ stars: 5 }, { not: { ownerId: { eq: principal?.id } } }] }),
    },
  });
  defineResource("note", {
    fields,
    relations: { book: belongsTo("book", "ownerId") },
    access: { ...access, read: () => ({ and: [{ stars: { gt: 3 } }, { book: { title: "Emma" } }] }) },
  });
  defineResource("note", {
    fields,
    access: {
      ...access,
      // @ts-expect-error 'stars' is a number
      read: () => ({ or: [{ stars: "5" }] }),
    },
  });
});

test("composed rules apply if their parts do", () => {
  const mine = anyOf(hasRole("editor"), owner("ownerId"));
  expectTypeOf(mine).not.toBeAny();
  expectTypeOf(mine).toExtend<Rule<{ ownerId: { eq: string } }>>();
  expectTypeOf(allOf(signedIn, unless(hasRole("guest")))).toExtend<Rule<never>>();
  defineResource("note", {
    fields,
    relations: { book: belongsTo("book", "ownerId") },
    access: {
      read: anyOf(mine, () => ({ status: { eq: "open" }, stars: { between: [1, 5] } })),
      create: allOf(signedIn, ({ input }) => input?.["stars"] !== 5),
      update: allOf(
        mine,
        unless(() => ({ status: "closed" })),
        through("book", owner("authorId")),
      ),
      delete: deny,
      fields: { stars: { read: unless(hasRole("guest")), write: allOf(mine, signedIn) } },
    },
    actions: { close: { on: "item", access: anyOf(mine, hasRole("admin")), run: () => null } },
  });
});

test("composed rules don't apply if a part doesn't", () => {
  defineResource("note", {
    fields,
    access: {
      ...access,
      // @ts-expect-error 'writerId' isn't a field
      update: anyOf(hasRole("editor"), owner("writerId")),
    },
  });
  defineResource("note", {
    fields,
    relations: { book: belongsTo("book", "ownerId") },
    access: {
      ...access,
      // @ts-expect-error 'author' isn't a relation
      update: through("author", owner("id")),
    },
  });
  defineResource("note", {
    fields,
    access: {
      ...access,
      // @ts-expect-error 'stars' is a number
      update: allOf(signedIn, () => ({ stars: { gt: "3" } })),
    },
  });
  // @ts-expect-error at least one rule is required
  allOf();
});

test("only text has text operators and bounds, not enums", () => {
  const texts = { ...fields, code: z.string().brand<"Code">(), kind: z.literal("note"), note: z.string().nullable() };
  defineResource("note", {
    fields: texts,
    access: {
      ...access,
      read: ({ principal }) => ({
        ownerId: { eq: principal?.id },
        status: { in: ["open"], isNull: false },
        code: { startsWith: "a" },
        note: { icontains: "b", notContains: "c" },
      }),
      // @ts-expect-error an enum is compared by equality
      update: () => ({ status: { startsWith: "op" } }),
      // @ts-expect-error so is a literal
      delete: () => ({ kind: { notContains: "no" } }),
    },
  });
});
