import { allow, defineApi, defineResource } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { assertCompatible, schemaChanges } from "./schema-changes.ts";

function shop(fields: { readonly title?: z.ZodType<string | null>; readonly pages?: z.ZodType<number | null> } = {}) {
  const book = defineResource("book", {
    fields: { id: z.uuid(), title: z.string(), ...fields },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  return defineApi({ resources: [book] }).graphql;
}
const withPages = () => shop({ pages: z.int32().nullable() });

test("finds no changes between equal schemas", async () => {
  expect(await schemaChanges(shop().sdl(), shop().schema)).toEqual([]);
  await expect(assertCompatible(shop().sdl(), shop().sdl())).resolves.toBeUndefined();
});

test("reports a new field as safe", async () => {
  const changes = await schemaChanges(shop().sdl(), withPages().sdl());
  expect(changes).toContainEqual({
    criticality: "safe",
    message: "Field 'pages' was added to object type 'Book'",
    path: "Book.pages",
  });
  expect(changes.map(({ criticality }) => criticality)).not.toContain("breaking");
  await expect(assertCompatible(shop().sdl(), withPages().sdl())).resolves.toBeUndefined();
});

test("reports a field that becomes nullable as breaking", async () => {
  const nullable = shop({ title: z.string().nullable() }).sdl();
  const [first] = await schemaChanges(shop().sdl(), nullable);
  expect(first).toEqual({
    criticality: "breaking",
    message: "Field 'Book.title' changed type from 'String!' to 'String'",
    path: "Book.title",
  });
  await expect(assertCompatible(shop().sdl(), nullable)).rejects.toThrow(
    "1 breaking change\n  Book.title: Field 'Book.title' changed type from 'String!' to 'String'",
  );
});

test("ignores breaking changes at the paths in `allow`", async () => {
  const nullable = shop({ title: z.string().nullable() }).sdl();
  await expect(assertCompatible(shop().sdl(), nullable, { allow: ["Book.title"] })).resolves.toBeUndefined();
});

test("reports a removed field as breaking", async () => {
  await expect(assertCompatible(withPages().sdl(), shop().sdl())).rejects.toThrow(
    /^\d+ breaking changes\n[^]*Book\.pages: Field 'pages' was removed/,
  );
});
