import { allow, defineApi, defineResource, deny, memoryStore, silentLog } from "@bifocal/core";
import { z } from "zod";
import { expect, test } from "vitest";
import { ask } from "../differential/ask.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string(), secret: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny, fields: { secret: { read: deny } } },
  page: { size: 20, max: 1_000 },
});
const data = { note: Array.from({ length: 1_000 }, (_, id) => ({ id, text: `Note ${id}`, secret: "hidden" })) };
const api = defineApi({ resources: [note], store: memoryStore({ data }), log: silentLog });

interface Told {
  readonly data: { readonly notes: { readonly nodes: readonly Readonly<Record<string, unknown>>[] } };
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: object;
  }[];
}

test("E21: returns 10,000 nulls and 50 errors for 10,000 values that the caller cannot read", async () => {
  const aliases = Array.from({ length: 10 }, (_, index) => `s${index}: secret`).join(" ");
  const text = await ask(api, { query: `{ notes(first: 1000) { nodes { ${aliases} text } } }`, variables: {} }, null);
  const { data: answered, errors } = JSON.parse(text) as Told;
  const nothing = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`s${index}`, null]));
  expect(answered.notes.nodes).toEqual(data.note.map((row) => ({ ...nothing, text: row.text })));
  expect(errors).toHaveLength(50);
  expect(errors.slice(0, 49).map(({ path }) => path?.length)).toEqual(Array(49).fill(4));
  expect(errors.at(-1)).toEqual({ message: "9951 more errors are not shown.", extensions: { code: "FORBIDDEN" } });
  expect(text).not.toContain("hidden");
});

test("reports each error up to the limit", async () => {
  const text = await ask(api, { query: "{ notes(first: 50) { nodes { secret } } }", variables: {} }, null);
  const { errors } = JSON.parse(text) as Told;
  expect(errors.map(({ path }) => path)).toEqual(
    Array.from({ length: 50 }, (_, index) => ["notes", "nodes", index, "secret"]),
  );
});
