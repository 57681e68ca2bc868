import { expect, test } from "vitest";
import { z } from "zod";
import { defineResource } from "../../definition/define-resource.ts";
import { uuid } from "../../definition/generated.ts";
import { allow } from "../../definition/rules.ts";
import type { Parsed, ResourceModel } from "../model.ts";
import { resolveModel } from "../resolve-model.ts";

const AUTHOR = "8F14E45F-CEEA-467F-9F3D-0A1B2C3D4E5F";
const BOOK = { title: "Emma", authorId: AUTHOR, tags: ["novel"], price: 9.5 };

const definition = defineResource("book", {
  fields: {
    id: z.uuid(),
    title: z.string().min(1),
    authorId: z.uuid(),
    tags: z.array(z.string()),
    price: z.number().optional(),
  },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const book = resolveModel([definition]).resources.get("book") as ResourceModel;

function parse(input: unknown): Parsed {
  return book.parse.create(input, "wire");
}

function codesOf(input: unknown): readonly string[] {
  return (parse(input).issues ?? []).map(({ path, code }) => `${path.join()} ${code}`);
}

test("parses the members of an input in any order into the same row", () => {
  const row = { ...BOOK, authorId: AUTHOR.toLowerCase() };
  const reversed = Object.fromEntries(Object.entries(BOOK).reverse());
  for (const input of [BOOK, reversed]) expect(JSON.stringify(parse(input).row)).toBe(JSON.stringify(row));
});

test("copies the lists of an input", () => {
  const tags = ["novel"];
  const { row } = parse({ ...BOOK, tags });
  tags.push("classic");
  expect(row?.["tags"]).toEqual(["novel"]);
});

test("rejects an unknown member of an input with as many members as there are fields", () => {
  const { price: _, ...others } = BOOK;
  expect(codesOf({ ...others, genre: "novel" })).toEqual(["genre unrecognized_key"]);
});

test("ignores inherited members of an input", () => {
  const { title, ...others } = BOOK;
  const input: unknown = Object.assign(Object.create({ title }), { ...others, genre: "novel" });
  expect(codesOf(input)).toEqual(["genre unrecognized_key", "title required"]);
});

test("rejects text that no store can hold, in a field and in a list", () => {
  expect(codesOf({ ...BOOK, title: "Em\0ma" })).toEqual(["title invalid_text"]);
  expect(codesOf({ ...BOOK, tags: ["novel", "\ud800"] })).toEqual(["tags invalid_text"]);
});
