import { allow, defineApi, defineResource, owner } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import { hosts } from "./hosted/hosts.ts";

// Its fields have names of parts of a statement, or limits that only its columns have.
const note = defineResource("note", {
  fields: {
    id: z.int32(),
    revision: z.int32(),
    c0: z.string(),
    passes: z.string(),
    count: z.int(),
  },
  version: "revision",
  access: { read: allow, create: allow, update: owner("passes"), delete: allow },
});
const plain = defineResource("plain", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown }).code;

describe.each(servers)("writes within a transaction on $name", ({ name, missing, create }) => {
  let database: TestDatabase;
  const createApi = () => {
    const store = sqlStore({ url: database.url, autoCreate: true });
    return { store, api: defineApi({ resources: [note, plain], store }) };
  };
  type Local = Parameters<Parameters<ReturnType<typeof createApi>["api"]["transaction"]>[0]>[0];
  let made: ReturnType<typeof createApi>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    database = await create();
    // A column that is narrower than its field.
    if (name === "postgres") {
      const kysely = new Kysely<unknown>({
        dialect: hosts.find((host) => host.name === name)?.dialect(database.url) as never,
      });
      await sql`create table notes (id integer primary key, revision integer not null, c0 text not null, passes text not null, count integer not null)`.execute(
        kysely,
      );
      await kysely.destroy();
    }
  });
  beforeEach(async () => {
    if (missing !== undefined) return;
    await database.empty();
    made = createApi();
    await made.api.local.note.create({ id: 1, c0: "a", passes: "ann", count: 1 });
    await made.api.local.plain.create({ id: 1, title: "one" });
    return () => made.api.close();
  });
  afterAll(() => database?.drop());
  const current = async () => made.api.local.note.get(1);
  /** The work catches the refusal, so the transaction commits whatever was written. */
  const outcome = async (work: (local: Local) => Promise<unknown>): Promise<unknown> =>
    made.api.transaction(async (local) => work(local).then(() => "done", codeOf), { principal: { id: "ann" } });

  describe.skipIf(missing !== undefined)("run separately", () => {
    test("take one statement on PostgreSQL, and two on other databases", async () => {
      const { statements } = await made.store.explain(() =>
        made.api.transaction(async (local) => {
          await local.plain.update(1, { title: "two" });
          await local.plain.update(1, { title: "three" });
        }),
      );
      const writes = statements.filter(({ sql: text }) => /\bplains\b/.test(text));
      expect(writes).toHaveLength(name === "postgres" ? 2 : name === "sqlite" ? 4 : 6);
      expect(await made.api.local.plain.get(1)).toEqual({ id: 1, title: "three" });
    });

    test("write nothing that a rule rejects", async () => {
      const before = await current();
      expect(await outcome((local) => local.note.update(1, { passes: "bob" }))).toBe("FORBIDDEN");
      expect(await current()).toEqual(before);
      expect(await outcome((local) => local.note.update(1, { c0: "b" }))).toBe("done");
      expect(await current()).toEqual({ ...before, c0: "b", revision: 2 });
    });

    test.each([
      ["of another version", { note: ["7"], plain: ["7"] }],
      ["of an invalid version", { note: ["one"], plain: ["1"] }],
      ["of a version in another form", { note: ["01", "1.0", "9007199254740993"], plain: [] }],
    ])("write nothing %s", async (_, ifMatch) => {
      const before = await current();
      const stale = "PRECONDITION_FAILED";
      expect(await outcome((local) => local.note.update(1, { c0: "b" }, { ifMatch: ifMatch.note }))).toBe(stale);
      expect(await outcome((local) => local.note.delete(1, { ifMatch: ifMatch.note }))).toBe(stale);
      expect(await outcome((local) => local.plain.update(1, { title: "b" }, { ifMatch: ifMatch.plain }))).toBe(stale);
      expect(await outcome((local) => local.plain.delete(1, { ifMatch: ifMatch.plain }))).toBe(stale);
      expect(await current()).toEqual(before);
      expect(await made.api.local.plain.get(1)).toEqual({ id: 1, title: "one" });
      const own = { ifMatch: ["7", "1"] };
      expect(await outcome((local) => local.note.update(1, { c0: "b" }, own))).toBe("done");
      expect(await outcome((local) => local.note.delete(1, { ifMatch: "2" }))).toBe("done");
      expect(await current()).toBeNull();
    });

    test("find no missing row, whatever its columns would contain", async () => {
      const large = name === "postgres" ? 2 ** 40 : 5;
      expect(await outcome((local) => local.note.update(2, { count: large }))).toBe("NOT_FOUND");
      expect(await outcome((local) => local.plain.delete(2))).toBe("NOT_FOUND");
    });
  });
});
