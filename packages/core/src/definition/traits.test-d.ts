import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import type { Principal } from "./principal.ts";
import { now, updatedNow, uuid } from "./generated.ts";
import { belongsTo } from "./relations.ts";
import type { TypesOf } from "./resource.ts";
import { allow, owner, signedIn } from "./rules.ts";
import { compose, trait } from "./traits.ts";

const timestamps = () =>
  trait({
    fields: { createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() },
    generated: { createdAt: now(), updatedAt: updatedNow() },
    sortable: ["createdAt"],
  });
const ownedBy = <const Field extends string>(field: Field) =>
  trait({
    fields: { [field]: z.string() } as { [K in Field]: z.ZodString },
    relations: { owner: belongsTo("user", field) },
    access: { update: owner(field), delete: owner(field) },
    filterable: [field],
    immutable: [field],
  });
const access = { read: allow, create: signedIn };

test("a resource has the types of its traits", () => {
  const shared = compose(timestamps(), ownedBy("userId"), {
    fields: { id: z.uuid(), title: z.string(), stars: z.int32() },
    generated: { id: uuid() },
  });
  const note = defineResource("note", {
    ...shared,
    access: {
      ...shared.access,
      read: ({ principal }) => ({ or: [{ stars: { gt: 3 } }, { userId: { eq: principal?.id } }] }),
      create: signedIn,
    },
    filterable: [...shared.filterable, "title"],
  });
  expectTypeOf<TypesOf<typeof note>["row"]>().toEqualTypeOf<{
    createdAt: string;
    updatedAt: string;
    userId: string;
    id: string;
    title: string;
    stars: number;
  }>();
  expectTypeOf<TypesOf<typeof note>["input"]>().toEqualTypeOf<{ userId: string; title: string; stars: number }>();
  type Types = Required<TypesOf<typeof note>>;
  expectTypeOf<Types["filterable"]>().toEqualTypeOf<"userId" | "title">();
  expectTypeOf<Types["sortable"]>().toEqualTypeOf<"createdAt">();
  expectTypeOf<Types["immutable"]>().toEqualTypeOf<"userId">();
  expectTypeOf<keyof Types["relations"]>().toEqualTypeOf<"owner">();
});

test("a trait can soft-delete rows, keep them in a tenant, and search them", () => {
  const softDelete = () =>
    trait({
      fields: { deletedAt: z.iso.datetime().nullable() },
      softDelete: "deletedAt",
      access: { restore: signedIn },
    });
  const inShop = () =>
    trait({
      fields: { shopId: z.string() },
      tenant: { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined },
    });
  const shared = compose(softDelete(), inShop(), {
    fields: { id: z.uuid(), title: z.string(), version: z.int32() },
    generated: { id: uuid() },
    search: ["title"],
    version: "version",
  });
  const note = defineResource("note", {
    ...shared,
    access: { ...shared.access, ...access, update: allow, delete: allow },
  });
  type Types = Required<TypesOf<typeof note>>;
  expectTypeOf<Types["input"]>().toEqualTypeOf<{ title: string }>();
  expectTypeOf<Types["internal"]>().toEqualTypeOf<"shopId">();
  expectTypeOf<Types["restores"]>().toEqualTypeOf<true>();
  // @ts-expect-error both traits soft-delete
  compose(softDelete(), { softDelete: "hiddenAt", fields: { hiddenAt: z.iso.datetime().nullable() } });
});

test("mistakes are compile errors", () => {
  // @ts-expect-error both traits define the field
  compose(timestamps(), { fields: { createdAt: z.string() } });
  // @ts-expect-error both traits define the relation
  compose(ownedBy("userId"), ownedBy("authorId"));
  // @ts-expect-error a trait has no such part
  compose({ feilds: { id: z.uuid() } });
  // @ts-expect-error page sizes belong to the resource
  compose({ fields: { id: z.uuid() }, page: { size: 5 } });
  const shared = compose(timestamps(), { fields: { id: z.uuid() }, generated: { id: uuid() } });
  // @ts-expect-error the rules for update and delete are missing
  defineResource("note", { ...shared, access });
  defineResource("note", {
    ...shared,
    // @ts-expect-error the rule uses a field that the row doesn't have
    access: { ...access, update: allow, delete: () => ({ userId: "ann" }) },
  });
  // @ts-expect-error the field doesn't exist
  defineResource("note", { ...shared, access: { ...access, update: allow, delete: allow }, filterable: ["title"] });
});
