import { randomBytes } from "node:crypto";
import { allow, defineApi, defineResource } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", {
  fields: { id: z.int32(), title: z.string(), code: z.string().nullable(), text: z.string() },
  access,
  sortable: ["title"],
  unique: ["code"],
});

const postgres = servers.find(({ name }) => name === "postgres");
test.skipIf(postgres?.missing !== undefined)("PostgreSQL rejects text that is too long for a B-tree", async () => {
  const database = await postgres?.create();
  if (database === undefined) throw new Error("There is no PostgreSQL.");
  const api = defineApi({ resources: [note], store: sqlStore({ url: database.url, autoCreate: true }) });
  const long = (bytes: number) => randomBytes(bytes).toString("base64");
  const create = (values: object) => api.local.note.create({ id: 1, title: "a", code: null, text: "b", ...values });
  const refused = (field: string) => ({ code: "VALIDATION_FAILED", issues: [{ path: [field], code: "not_storable" }] });
  await expect(create({ title: long(6_000), text: "short" })).rejects.toMatchObject(refused("title"));
  await expect(create({ code: long(3_000), text: long(9_000) })).rejects.toMatchObject(refused("code"));
  await create({ text: long(9_000) });
  await expect(api.local.note.update(1, { title: long(9_000) })).rejects.toMatchObject(refused("title"));
  await api.close();
  await database.drop();
});
