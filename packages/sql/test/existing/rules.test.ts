import { allow, defineApi, defineResource, silentLog, uuid } from "@bifocal/core";
import { queryPostgres, servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string() },
  generated: { id: uuid() },
  bulk: { create: 100 },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

function createApi(url: string) {
  const store = sqlStore({ url, autoCreate: true });
  return { store, api: defineApi({ resources: [note], store, log: silentLog }) };
}

const postgres = servers.find(({ name }) => name === "postgres");

describe.skipIf(postgres?.missing !== undefined)("a table with rules on PostgreSQL", () => {
  let database: TestDatabase | undefined;
  let url: string;
  let made: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await postgres?.create();
    url = database?.url ?? "";
  });
  beforeEach(async () => {
    await database?.clear();
    made = createApi(url);
    await made.api.ready;
    return () => made.api.close();
  });
  afterAll(() => database?.drop());

  const audited = async (): Promise<readonly unknown[]> =>
    (await queryPostgres(url, "select entry from audit order by entry")).map(({ entry }) => entry);
  const createRules = async (rules: string): Promise<void> => {
    await queryPostgres(url, "drop table if exists audit cascade; create table audit (entry text)");
    await queryPostgres(url, rules);
  };

  test("is written, together with what its rules do", async () => {
    const { note: notes } = made.api.local;
    const before = await notes.create({ text: "before" });
    await createRules(`
      create rule inserted as on insert to notes do also insert into audit values ('insert ' || new.text);
      create rule updated as on update to notes do also insert into audit values ('update ' || new.text);
      create rule deleted as on delete to notes do also insert into audit values ('delete ' || old.text)`);
    // The first write of each kind finds out about the rules.
    const [updated] = await Promise.all([
      notes.update(before.id, { text: "after" }),
      ...["a", "b", "c"].map(async (text) => expect(await notes.create({ text })).toMatchObject({ text })),
    ]);
    expect(updated).toEqual({ id: before.id, text: "after" });
    await notes.createMany([{ text: "d" }, { text: "e" }]);
    await notes.delete(before.id);
    const inserted = ["a", "b", "c", "d", "e"].map((text) => `insert ${text}`);
    expect(await audited()).toEqual(["delete after", ...inserted, "update after"]);
    await made.store.changeLog?.advance();
    const page = await made.store.changeLog?.read({ after: 0, limit: 100 });
    const kinds = page?.kind === "page" ? page.changes.map(({ draft }) => draft.kind) : [];
    expect(kinds.toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...Array.from({ length: 6 }, () => "created"),
      "deleted",
      "updated",
    ]);
  });

  test.each([
    ["update", (id: string) => made.api.local.note.update(id, { text: "after" })],
    ["delete", (id: string) => made.api.local.note.delete(id)],
    ["update", (id: string) => made.api.transaction((local) => local.note.update(id, { text: "after" }))],
    ["create", () => made.api.local.note.create({ text: "new" })],
  ])("can be written first by several concurrent calls of %s", async (event, write) => {
    const rows = await made.api.local.note.createMany(Array.from({ length: 8 }, () => ({ text: "before" })));
    const verb = event === "create" ? "insert" : event;
    await createRules(`create rule noted as on ${verb} to notes do also insert into audit values ('noted')`);
    await Promise.all(rows.map((row) => write(row?.id ?? "")));
    expect(await audited()).toHaveLength(rows.length);
  });

  test("returns an error before the deadline if a rule may do nothing instead", async () => {
    const { note: notes } = made.api.local;
    await createRules("create rule ignored as on insert to notes where new.text = 'ignored' do instead nothing");
    await expect(notes.create({ text: "a" })).rejects.toMatchObject({ code: "INTERNAL" });
  });
});
