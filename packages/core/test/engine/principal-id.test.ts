import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  owner,
  principalId,
} from "../../src/index.ts";
import { send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const ada = { id: "ada" };
const ben = { id: "ben" };

function library() {
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), createdBy: z.string().nullable(), updatedBy: z.string().nullable() },
    generated: { createdBy: principalId(), updatedBy: principalId({ on: "update" }) },
    access: open,
    bulk: { create: 10, update: 10 },
    actions: {
      rename: {
        on: "item",
        access: allow,
        run: async ({ item, store }) => {
          await store.update(item.id, { title: `${item.title}!` });
        },
      },
    },
  });
  const note = defineResource("note", {
    fields: { id: z.int32(), text: z.string(), userId: z.string() },
    generated: { userId: principalId() },
    access: { ...open, update: owner("userId") },
  });
  return defineApi({ resources: [book, note], store: memoryStore() });
}

describe("principalId()", () => {
  test("sets the creator once and the last writer on every change", async () => {
    const api = library();
    const created = await api.as(ada).book.create({ id: 1, title: "Emma" });
    expect(created).toMatchObject({ createdBy: "ada", updatedBy: "ada" });
    expect(await api.as(ben).book.update(1, { title: "Persuasion" })).toMatchObject({
      createdBy: "ada",
      updatedBy: "ben",
    });
    expect(await api.as(ada).book.actions.rename(1)).toMatchObject({ createdBy: "ada", updatedBy: "ada" });
    await api
      .as(ben)
      .book.updateMany({}, { title: "Emma" })
      .catch(() => undefined);
    await api.as(ben).book.createMany([{ id: 2, title: "Sanditon" }]);
    expect(await api.local.book.get(2)).toMatchObject({ createdBy: "ben", updatedBy: "ben" });
  });

  test("is null for anonymous and system callers if the field is nullable", async () => {
    const api = library();
    expect(await api.local.book.create({ id: 1, title: "Emma" })).toMatchObject({ createdBy: null, updatedBy: null });
    const system = api.as(asSystem("seed the catalog"));
    expect(await system.book.create({ id: 2, title: "Emma" })).toMatchObject({ createdBy: null });
  });

  test("rejects an anonymous write if the field can't be null", async () => {
    const api = library();
    await expect(api.local.note.create({ id: 1, text: "…" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const system = api.as(asSystem("seed the notes"));
    expect(await system.note.create({ id: 1, text: "…" })).toMatchObject({ userId: "system" });
  });

  test("lets a rule use the generated owner", async () => {
    const api = library();
    await api.as(ada).note.create({ id: 1, text: "first" });
    await expect(api.as(ben).note.update(1, { text: "second" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await api.as(ada).note.update(1, { text: "second" })).toMatchObject({ text: "second" });
  });

  test("returns 422 when an input contains the field", async () => {
    const { status, body } = await send(library(), "POST", "/books", {
      body: { id: 1, title: "Emma", createdBy: "eve" },
    });
    expect({ status, body }).toMatchObject({ status: 422, body: { code: "VALIDATION_FAILED" } });
  });

  test("refuses an id that the field's schema doesn't accept, without revealing why", async () => {
    const causes: unknown[] = [];
    const skip = (): void => {};
    const error = (_: string, facts?: { readonly cause?: unknown }): unknown => causes.push(facts?.cause);
    const log = {
      debug: skip,
      info: skip,
      warn: skip,
      error: (...args: Parameters<typeof error>) => void error(...args),
    };
    const book = defineResource("book", {
      fields: { id: z.int32(), createdBy: z.uuid() },
      generated: { createdBy: principalId() },
      access: open,
    });
    const api = defineApi({ resources: [book], store: memoryStore(), log });
    await expect(api.as(ada).book.create({ id: 1 })).rejects.toMatchObject({ code: "INTERNAL" });
    expect(String(causes[0])).toContain("'createdBy' of 'book'");
  });

  test("rejects a field of another type at start", () => {
    const book = defineResource("book", {
      fields: { id: z.int32(), createdBy: z.boolean() },
      generated: { createdBy: principalId() as never },
      access: open,
    });
    expect(() => defineApi({ resources: [book], store: memoryStore() })).toThrow(/principalId\(\) generates strings/);
  });

  test("checks the references that it creates", async () => {
    const user = defineResource("user", {
      fields: { id: z.string() },
      relations: { notes: hasMany("note", "userId") },
      access: open,
    });
    const note = defineResource("note", {
      fields: { id: z.int32(), userId: z.string() },
      generated: { userId: principalId() },
      relations: { user: belongsTo("user", "userId") },
      access: open,
    });
    const api = defineApi({ resources: [user, note], store: memoryStore({ data: { user: [{ id: "ada" }] } }) });
    expect(await api.as(ada).note.create({ id: 1 })).toMatchObject({ userId: "ada" });
    await expect(api.as(ben).note.create({ id: 2 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });
});
