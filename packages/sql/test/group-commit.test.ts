import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  unique: [["text"]],
  access: { read: allow, create: allow, update: allow, delete: allow },
});

function openApi(file: string) {
  return defineApi({ resources: [note], store: sqlStore(`sqlite:${file}`), log: silentLog });
}

interface NoteRow {
  readonly id: number;
  readonly text: string;
}

/** Returns the text of each transaction statement that connections run during `work`. */
async function transactionsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const run = vi.spyOn(StatementSync.prototype, "run");
  await work();
  const texts = run.mock.contexts.map((statement) => (statement as StatementSync).sourceSQL);
  run.mockRestore();
  return texts.filter((text) => /^(begin|commit|rollback|savepoint|release)/.test(text));
}

describe("creates that arrive together in an SQLite file", () => {
  let folder: string;
  let file: string;
  let api: ReturnType<typeof openApi>;
  let other: DatabaseSync;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "bifocal-"));
    file = join(folder, "notes.db");
    api = openApi(file);
    await api.ready;
    other = new DatabaseSync(file);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    other.close();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const create = (id: number, text = `Note ${id}`) => api.local.note.create({ id, text });
  const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
    outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? "created" : (outcome.reason as { code?: unknown }).code,
    );
  const stored = (): readonly unknown[] =>
    other
      .prepare("select id from notes order by id")
      .all()
      .map(({ id }) => id);
  const logged = (): readonly unknown[] =>
    other
      .prepare("select key from bifocal_event order by key + 0")
      .all()
      .map(({ key }) => Number(key));

  test("share one commit, and are on the disk when they settle", async () => {
    // However slow the machine is, the group doesn't get old.
    vi.spyOn(performance, "now").mockReturnValue(0);
    const texts = await transactionsOf(async () => {
      await Promise.all([1, 2, 3].map((id) => create(id).then(() => expect(stored()).toEqual([1, 2, 3]))));
    });
    const member = ["savepoint member", "release member"];
    expect(texts).toEqual(["begin immediate", ...member, ...member, "commit"]);
    expect(logged()).toEqual([1, 2, 3]);
  });

  test("begin another group when the first one is 10 ms old", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 11));
    const texts = await transactionsOf(() => Promise.all([1, 2].map((id) => create(id))));
    expect(texts).toEqual(["begin immediate", "commit", "begin immediate", "commit"]);
  });

  test("commit alone if there is only one", async () => {
    expect(await transactionsOf(() => create(1))).toEqual(["begin immediate", "commit"]);
    expect(stored()).toEqual([1]);
  });

  test.each([
    ["first", 1],
    ["last", 3],
  ])("don't fail with the %s one", async (_, failing) => {
    await create(9, "taken");
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => create(id, id === failing ? "taken" : undefined)));
    expect(codesOf(outcomes)).toEqual([1, 2, 3].map((id) => (id === failing ? "CONFLICT" : "created")));
    const rest = [1, 2, 3, 9].filter((id) => id !== failing);
    expect([stored(), logged()]).toEqual([rest, rest]);
  });

  test("conflict with each other like creates one after the other", async () => {
    const outcomes = await Promise.allSettled([create(1, "same"), create(2, "same"), create(3)]);
    expect(codesOf(outcomes)).toEqual(["created", "CONFLICT", "created"]);
    expect([stored(), logged()]).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  test("don't fail with one for which SQLite ends the transaction", async () => {
    other.exec(
      "create trigger ends before insert on notes when new.text = 'bad' begin select raise(rollback, 'ended'); end",
    );
    const outcomes = await Promise.allSettled([create(1), create(2, "bad"), create(3)]);
    expect(codesOf(outcomes)).toEqual(["created", "VALIDATION_FAILED", "created"]);
    expect([stored(), logged()]).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  test("don't fail with one whose violation shows at the commit", async () => {
    other.exec(`create table parents (id integer primary key);
      create table children (parent integer references parents (id) deferrable initially deferred);
      create trigger child after insert on notes when new.text = 'orphan' begin insert into children values (7); end`);
    const outcomes = await Promise.allSettled([create(1), create(2, "orphan"), create(3)]);
    expect(codesOf(outcomes)).toEqual(["created", "CONFLICT", "created"]);
    expect([stored(), logged()]).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  test("are no part of a transaction that begins after them and fails", async () => {
    const transact = async (id: number): Promise<void> => {
      await api.transaction(async (local) => {
        await local.note.create({ id, text: "in a transaction" });
        await setTimeout(5);
        throw new Error("rolled back");
      });
    };
    const outcomes = await Promise.allSettled([create(1), transact(3), create(2), transact(4), create(5)]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect([stored(), logged()]).toEqual([
      [1, 2, 5],
      [1, 2, 5],
    ]);
  });

  test("are committed when the API closes", async () => {
    const creating = Promise.all([create(1), create(2)]);
    await api.close();
    await creating;
    expect(stored()).toEqual([1, 2]);
  });

  test("survive a kill of the process once they are acknowledged", async () => {
    const child = fork(`${import.meta.dirname}/killed-creator.ts`, [file], {
      execArgv: ["--conditions=@bifocal/source"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const acknowledged: number[] = [];
    child.on("message", (id: number) => {
      acknowledged.push(id);
      if (acknowledged.length === 300) child.kill("SIGKILL");
    });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    const [ids, keys] = [new Set(stored()), logged()];
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(keys).toEqual([...ids]);
    const rows = other.prepare("select id, text from notes").all() as unknown as readonly NoteRow[];
    expect(rows.filter(({ id, text }) => text !== `Note ${id}`)).toEqual([]);
  });
});
