import { asSystem } from "@bifocal/core";
import { drawSeed } from "@bifocal/test-servers/seed";
import { servers } from "@bifocal/test-servers";
import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { createRecordedNotes, type RecordedNotes } from "./recorded-notes.ts";

const ROUNDS = 6;

/** What a killed process had reported as written. */
interface Acknowledged {
  readonly texts: string[];
  readonly deleted: Set<string>;
}

/** Starts a writer, and kills it after some acknowledged writes, in the middle of others. */
async function killAfter(url: string, round: number, writes: number, seen: Acknowledged): Promise<void> {
  const child = fork(`${import.meta.dirname}/recorded-writer.ts`, {
    execArgv: ["--conditions=@bifocal/source"],
    env: { ...process.env, DATABASE_URL: url, ROUND: String(round) },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const closed = once(child, "close");
  let text = "";
  let lines = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk;
    lines += chunk.toString().split("\n").length - 1;
    if (lines >= writes) child.kill("SIGKILL");
  });
  expect(await closed).toEqual([null, "SIGKILL"]);
  for (const line of text.split("\n").slice(0, -1)) {
    const [sign, ...names] = line.split(" ");
    if (sign === "+") seen.texts.push(...names);
    else seen.deleted.add(names[0] as string);
  }
}

interface State {
  readonly text: unknown;
  readonly deletedAt: unknown;
}

/** Reads all rows of a resource, and what their histories say about them. */
async function compare(api: RecordedNotes, resource: "note" | "shelf", texts: Map<string, number>): Promise<number> {
  const caller = api.as(asSystem("a check"));
  const size = { page: { size: 100 } };
  const rows = new Map<string, State>();
  const read = resource === "note" ? { ...size, deleted: "with" as const } : size;
  for (let after: string | null | undefined; after !== null; ) {
    const { items, hasNext, endCursor } = await caller[resource].list({
      ...read,
      page: { size: 100, ...(after === undefined ? {} : { after }) },
    });
    for (const row of items as readonly { id: string; text: string; deletedAt?: string | null }[])
      rows.set(row.id, { text: row.text, deletedAt: row.deletedAt ?? null });
    after = hasNext ? endCursor : null;
  }
  let entries = 0;
  for (const [id, row] of rows) {
    const state = { text: null as unknown, deletedAt: null as unknown };
    const page = await historyOf(api, resource, id);
    for (const { changes } of page.toReversed()) {
      entries++;
      for (const { field, from, to } of changes) {
        if (field !== "text" && field !== "deletedAt") continue;
        // An entry without its change, or a change without its entry, breaks the chain.
        expect([id, field, from]).toEqual([id, field, state[field]]);
        state[field] = to;
        if (field === "text") texts.set(String(to), (texts.get(String(to)) ?? 0) + 1);
      }
    }
    expect([id, state]).toEqual([id, row]);
  }
  return entries;
}

interface Entry {
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

async function historyOf(api: RecordedNotes, resource: "note" | "shelf", id: string): Promise<readonly Entry[]> {
  const caller = api.as(asSystem("a check"));
  const all: Entry[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = { size: 100, ...(after === undefined ? {} : { after }) };
    const { items, hasNext, endCursor } =
      resource === "note"
        ? await caller.note.history(id, { page, deleted: "with" })
        : await caller.shelf.history(id, { page });
    all.push(...(items as readonly Entry[]));
    after = hasNext ? endCursor : null;
  }
  return all;
}

describe.each(servers)("a process killed while it writes, on $name", ({ missing, create }) => {
  test.skipIf(missing !== undefined)(
    "every acknowledged change has exactly its history entry, and no entry lacks its change",
    async () => {
      const { url, drop } = await create();
      const seed = drawSeed("CHAOS_SEED");
      const seen: Acknowledged = { texts: [], deleted: new Set() };
      const before = createRecordedNotes(url);
      await before.ready;
      await before.as(asSystem("a test prepares its rows")).note.create({ id: "shared", text: "shared" });
      await before.close();
      try {
        for (let round = 0; round < ROUNDS; round++)
          // After 21 writes, at least one of the four writers has deleted a note.
          await killAfter(url, round, (round === 0 ? 21 : 5) + ((seed >>> (round * 4)) % 60), seen);
        const api = createRecordedNotes(url);
        const texts = new Map<string, number>();
        const entries = (await compare(api, "note", texts)) + (await compare(api, "shelf", texts));
        const wrong = seen.texts.filter((text) => texts.get(text) !== 1);
        expect(wrong).toEqual([]);
        expect([...texts].filter(([, count]) => count > 1)).toEqual([]);
        for (const id of seen.deleted) {
          const kinds = (await historyOf(api, "note", id)) as readonly { readonly operation?: string }[];
          expect([id, kinds.filter(({ operation }) => operation === "delete").length]).toEqual([id, 1]);
        }
        await api.close();
        expect(seen.texts.length).toBeGreaterThan(ROUNDS * 4);
        expect(seen.deleted.size).toBeGreaterThan(0);
        expect(entries).toBeGreaterThanOrEqual(seen.texts.length);
      } finally {
        await drop();
      }
    },
    300_000,
  );
});
