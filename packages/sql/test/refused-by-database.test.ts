import { DatabaseSync } from "node:sqlite";
import { allow, defineApi, defineResource, silentLog, uuid } from "@bifocal/core";
import { queryPostgres, servers, type TestDatabase, type TestServer } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { faultOf, isStatementError } from "../src/dialect/postgres/postgres-faults.ts";
import { faultOf as sqliteFault } from "../src/dialect/sqlite/sqlite-faults.ts";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", {
  fields: { id: z.uuid(), title: z.string(), text: z.string() },
  generated: { id: uuid() },
  filterable: ["title"],
  bulk: { create: 100, update: 100, delete: 100 },
  access,
});

function createApi(url: string) {
  return defineApi({
    resources: [note],
    store: sqlStore({ url, autoCreate: true, max: 2 }),
    log: silentLog,
    limits: { query: { timeout: 60_000 } },
  });
}

async function open(server: TestServer | undefined) {
  const database = await server?.create();
  if (database === undefined) throw new Error("The database is missing.");
  const api = createApi(database.url);
  onTestFinished(async () => {
    await api.close();
    await database.drop();
  });
  await api.ready;
  const create = (text: string) => api.local.note.create({ title: "a", text });
  return { database, api, create };
}

async function codesOf(works: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const outcomes = await Promise.allSettled(works);
  return outcomes.map((one) => (one.status === "fulfilled" ? "done" : (one.reason as { code?: unknown }).code));
}

async function runStatements(name: TestServer["name"], { url }: TestDatabase, statements: readonly string[]) {
  if (name === "postgres") {
    for (const text of statements) await queryPostgres(url, text);
  } else if (name === "sqlite") {
    const database = new DatabaseSync(url.slice("sqlite:".length));
    for (const text of statements) database.exec(text);
    database.close();
  } else {
    const connection = await mysql.createConnection(url);
    for (const text of statements) await connection.query(text);
    await connection.end();
  }
}

const EVENTS = ["insert", "update", "delete"] as const;
type Event = (typeof EVENTS)[number];
const rowOf = (event: Event): string => (event === "delete" ? "old" : "new");
const TRIGGERS: Readonly<Record<TestServer["name"], readonly string[]>> = {
  postgres: [
    `create function refuse() returns trigger language plpgsql as
      $$ begin if new.text = 'bad' then raise exception 'secret'; end if; return new; end $$;
    create function refuse_delete() returns trigger language plpgsql as
      $$ begin if old.text = 'bad' then raise exception 'secret'; end if; return old; end $$`,
    `create trigger refusing before insert or update on notes for each row execute function refuse();
    create trigger refusing_delete before delete on notes for each row execute function refuse_delete()`,
  ],
  mysql: EVENTS.map(
    (event) =>
      `create trigger refusing_${event} before ${event} on notes for each row
        if ${rowOf(event)}.text = 'bad' then signal sqlstate '45000' set message_text = 'secret', mysql_errno = 30001; end if`,
  ),
  sqlite: EVENTS.map(
    (event) =>
      `create trigger refusing_${event} before ${event} on notes when ${rowOf(event)}.text = 'bad'
        begin select raise(abort, 'secret'); end`,
  ),
};

const available = servers.filter(({ missing }) => missing === undefined);
const postgres = servers.find(({ name }) => name === "postgres");

describe.each(available)("$name", (server) => {
  const { name } = server;

  test("returns 422 or 409, without the message, if a trigger raises an error", async () => {
    const { database, api, create } = await open(server);
    const old = await create("bad");
    await runStatements(name, database, TRIGGERS[name]);
    expect(await codesOf(["a", "bad", "b"].map(create))).toEqual(["done", "VALIDATION_FAILED", "done"]);
    const refused = api.local.note.createMany(["c", "bad"].map((text) => ({ title: "a", text })));
    await expect(refused).rejects.toMatchObject({ code: "VALIDATION_FAILED", issues: [{ path: [1] }] });
    await expect(refused).rejects.not.toThrow(/secret/);
    expect(await codesOf([api.local.note.update(old.id, { title: "b" })])).toEqual(["VALIDATION_FAILED"]);
    expect(await codesOf([api.local.note.delete(old.id)])).toEqual(["CONFLICT"]);
    expect(await codesOf([api.local.note.deleteMany({ title: "a" })])).toEqual(["CONFLICT"]);
    const { items } = await api.local.note.list({});
    expect(items.map(({ text }) => text).sort()).toEqual(["a", "b", "bad"]);
  });
});

describe.skipIf(postgres?.missing !== undefined)("PostgreSQL", () => {
  test("returns 409 if a row violates an exclusion constraint", async () => {
    const { database, create } = await open(postgres);
    await queryPostgres(database.url, "alter table notes add exclude using hash (text with =)");
    expect(await codesOf(["a", "b", "a", "c"].map(create))).toEqual(["done", "done", "CONFLICT", "done"]);
  });

  test.each([
    ["23505", "CONFLICT"],
    ["23001", "CONFLICT"],
    ["23000", "VALIDATION_FAILED"],
    ["44000", "VALIDATION_FAILED"],
    ["P0004", "INTERNAL"],
    ["XX000", "INTERNAL"],
  ])("reports an error %s of a trigger as %s, to its caller only", async (state, code) => {
    const { database, create } = await open(postgres);
    await queryPostgres(
      database.url,
      `create function refuse() returns trigger language plpgsql as $$ begin
        if new.text = 'bad' then raise exception 'no' using errcode = '${state}'; end if; return new; end $$;
      create trigger refusing before insert on notes for each row execute function refuse()`,
    );
    expect(await codesOf(["a", "bad", "b"].map(create))).toEqual(["done", code, "done"]);
  });

  test("replaces a connection whose trigger has a plan for another type of column", async () => {
    const { database, create } = await open(postgres);
    await runStatements("postgres", database, TRIGGERS.postgres);
    await codesOf(["a", "bad", "b"].map(create));
    await queryPostgres(database.url, "alter table notes alter text type varchar(200)");
    const tries: unknown[] = [];
    while (tries.at(-1) !== "done" && tries.length < 10) tries.push(...(await codesOf([create("c")])));
    expect(tries.at(-1)).toBe("done");
    expect(new Set(tries.slice(0, -1))).toEqual(new Set(["UNAVAILABLE"]));
  });
});

describe("errors of PostgreSQL in other languages", () => {
  const table = "foreign_notes";
  const constraint = "foreign_notes_a_fkey";
  const violation = (message: string) => faultOf({ code: "23503", message, table, constraint })?.kind;

  test.each([
    "Aktualisieren oder Löschen in Tabelle »authors« verletzt Fremdschlüssel-Constraint »foreign_notes_a_fkey« von Tabelle »foreign_notes«",
    "Aktualisieren oder Löschen in Tabelle »foreign_notes« verletzt Fremdschlüssel-Constraint »foreign_notes_a_fkey« von Tabelle »foreign_notes«",
    "UPDATE ou DELETE sur la table « authors » viole la contrainte de clé étrangère\n« foreign_notes_a_fkey » de la table « foreign_notes »",
    'テーブル"authors"の更新または削除は、テーブル"foreign_notes"の外部キー制約"foreign_notes_a_fkey"に違反します',
  ])("are recognized as a referenced row: %s", (message) => {
    expect(violation(message)).toBe("referenced");
  });

  test.each([
    "Einfügen oder Aktualisieren in Tabelle »foreign_notes« verletzt Fremdschlüssel-Constraint »foreign_notes_a_fkey«",
    "une instruction insert ou update sur la table « foreign_notes » viole la contrainte de clé\nétrangère « foreign_notes_a_fkey »",
    'テーブル"foreign_notes"への挿入、更新は外部キー制約"foreign_notes_a_fkey"に違反しています',
  ])("are recognized as a missing reference: %s", (message) => {
    expect(violation(message)).toBe("reference");
  });

  test("are recognized as errors of the statement, except those of a crash", () => {
    expect(isStatementError({ code: "P0001", severity: "FEHLER" })).toBe(true);
    expect(isStatementError({ code: "XX000", severity: "ERROR" })).toBe(true);
    expect(isStatementError({ code: "XX000", severity: "PANIK" })).toBe(false);
    expect(isStatementError({ code: "ECONNRESET" })).toBe(false);
  });
});

test("SQLite rejects a value that is longer than its limit", () => {
  const database = new DatabaseSync(":memory:");
  let thrown: unknown;
  try {
    database.prepare("select length(zeroblob(1000000001))").get();
  } catch (error) {
    thrown = error;
  }
  database.close();
  expect(sqliteFault(thrown)).toEqual({ kind: "value", isLarge: true });
});
