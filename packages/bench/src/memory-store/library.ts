import { randomUUID } from "node:crypto";
import { allow, defineApi, defineResource, memoryStore, sequence } from "@bifocal/core";
import type { Store } from "@bifocal/core/store";
import { z } from "zod";
import { settings } from "../settings.ts";

export type KeyKind = "string" | "uuid" | "integer";

/** The number of rows with the same price, whatever the number of rows. Ten times as many have none. */
const TIES = 10;

const IDS = { string: z.string(), uuid: z.uuid(), integer: z.int32() };

/** Text that is parsed is one piece of memory, and text that is concatenated isn't. */
export function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Creates the value of `id` that belongs to a number, which spreads over all texts. */
export function keyOf(kind: KeyKind, n: number): string | number {
  return kind === "integer"
    ? n + 1
    : flat(kind === "uuid" ? randomUUID() : `${((n * 7_919) % 1_000_003).toString(36)}-${n}`);
}

/** The fields other than `id`. One price in ten is missing. */
export function valuesOf(n: number, rows: number) {
  return {
    title: flat(`Title ${((n * 104_729) % 1_000_003).toString(36)}`),
    price: n % 10 === 0 ? null : (n * 31) % Math.ceil(rows / TIES),
    genre: ["novel", "poem", "essay", "drama"][n % 4] as string,
    summary: "A short description of the book, about as long as one in a catalogue.",
    tags: ["paperback", `shelf ${n % 50}`],
  };
}

export async function createLibrary(kind: KeyKind, rows: number) {
  const book = defineResource("book", {
    fields: {
      id: IDS[kind],
      title: z.string(),
      price: z.number().nullable(),
      genre: z.string(),
      summary: z.string(),
      tags: z.array(z.string()),
    },
    ...(kind === "integer" ? { generated: { id: sequence() } } : {}),
    access: { read: allow, create: allow, update: allow, delete: allow },
    filterable: ["genre"],
    sortable: ["title", "price"],
  });
  const keys = Array.from({ length: rows }, (_, n) => keyOf(kind, n));
  const store: Store = memoryStore({
    data: { book: keys.map((id, n) => ({ id, ...valuesOf(n, rows) })) },
  });
  const api = defineApi({ ...settings, resources: [book], store });
  await api.ready;
  const resource = api.model.resources.get("book");
  if (resource === undefined) throw new Error("The model has no books.");
  return { api, store, resource, keys, books: api.local.book };
}

export type Library = Awaited<ReturnType<typeof createLibrary>>;
