import { inspect } from "node:util";
import { allow, defineApi, defineResource, type Log, silentLog, uuid } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import mysql from "mysql2/promise";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", {
  fields: { id: z.uuid(), title: z.string(), text: z.string() },
  generated: { id: uuid() },
  filterable: ["title"],
  bulk: { create: 100, update: 100 },
  access,
});
const server = servers.find(({ name }) => name === "mysql");

async function open(log: Log = silentLog) {
  const database = await server?.create();
  if (database === undefined) throw new Error("The database is missing.");
  const store = sqlStore({ url: database.url, autoCreate: true, max: 2 });
  const api = defineApi({ resources: [note], store, log, limits: { query: { timeout: 60_000 } } });
  onTestFinished(async () => {
    await api.close();
    await database.drop();
  });
  await api.ready;
  const create = (text: string) => api.local.note.create({ title: "a", text });
  const query = async (text: string): Promise<readonly mysql.RowDataPacket[]> => {
    const connection = await mysql.createConnection(database.url);
    const [rows] = await connection.query<mysql.RowDataPacket[]>(text);
    await connection.end();
    return rows;
  };
  return { api, create, query };
}

async function codesOf(works: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const outcomes = await Promise.allSettled(works);
  return outcomes.map((one) => (one.status === "fulfilled" ? "done" : (one.reason as { code?: unknown }).code));
}

describe.skipIf(server?.missing !== undefined)("a store on MySQL", () => {
  test("stores many long rows with several statements", async () => {
    const { api, create } = await open();
    const text = "long".repeat(2 ** 18);
    const rows = Array.from({ length: 70 }, (_, at) => ({ title: `${at}`, text }));
    const [created] = await Promise.all([api.local.note.createMany(rows), create("short")]);
    expect(created.map((row) => row?.title)).toEqual(rows.map(({ title }) => title));
    expect(await api.local.note.updateMany({ title: { in: ["1", "2"] } }, { text: `${text}!` })).toHaveLength(2);
  });

  test("rejects only a text that is longer than its packets", async () => {
    const { api, create, query } = await open();
    const [row] = await query("select @@max_allowed_packet as max");
    const text = "x".repeat(Number(row?.["max"]));
    const refused = { code: "VALIDATION_FAILED", issues: [{ path: ["text"], code: "not_storable" }] };
    const works = ["a", text, "b"].map((one) => create(one));
    await expect(works[1]).rejects.toMatchObject(refused);
    expect(await codesOf(works)).toEqual(["done", "VALIDATION_FAILED", "done"]);
    const { id } = await create("c");
    await expect(api.local.note.update(id, { text })).rejects.toMatchObject(refused);
    expect(await codesOf(["d", "e", "f"].map((one) => create(one)))).toEqual(["done", "done", "done"]);
  });

  test("logs no values of a statement that fails", async () => {
    const logged: unknown[] = [];
    const { create, query } = await open({ ...silentLog, error: (_, details) => void logged.push(details) });
    await query("drop table notes");
    await expect(create("private")).rejects.toMatchObject({ code: "INTERNAL" });
    expect(inspect(logged, { depth: null })).toContain("ER_NO_SUCH_TABLE");
    expect(inspect(logged, { depth: null })).not.toContain("private");
  });
});
