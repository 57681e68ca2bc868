import { allow, defineApi, defineResource, deny, type FunctionQuery, functionStore } from "@bifocal/core";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS, say } from "./servers.ts";

const access = { read: allow, create: deny, update: deny, delete: deny };
const note = defineResource("note", { fields: { id: z.int32(), text: z.string() }, access });

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** Serves notes with texts of the given lengths, and records how many rows each batch reads. */
async function start(lengths: readonly number[]) {
  const reads: number[] = [];
  let counts = 0;
  const rows = lengths.map((length, id) => ({ id, text: "x".repeat(length) }));
  const list = ({ after, limit, count }: FunctionQuery) => {
    const from = after === undefined ? 0 : Number(after[0]) + 1;
    const page = rows.slice(from, from + limit);
    reads.push(page.length);
    if (count) counts += 1;
    return { page, more: from + limit < rows.length, total: rows.length };
  };
  const api = defineApi({ resources: [note], store: functionStore({ note: { list } }) });
  running = await (SERVERS["node-http"] as (typeof SERVERS)[string])(api);
  return { reads, port: running.port, counts: () => counts };
}

/** Returns the ids of an export, and the sizes of the pieces that the server wrote. */
async function exported(port: number, accept: string): Promise<{ ids: number[]; pieces: number[] }> {
  const { came } = say(port, `GET /api/notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: ${accept}\r\n\r\n`);
  const answer = await came;
  const pieces: number[] = [];
  let text = "";
  for (let at = answer.indexOf("\r\n\r\n") + 4; ; ) {
    const start = answer.indexOf("\r\n", at) + 2;
    const size = Number.parseInt(answer.slice(at, start), 16);
    if (size === 0) break;
    pieces.push(size);
    text += answer.slice(start, start + size);
    at = start + size + 2;
  }
  const ids = [...text.matchAll(/^(?:\{"id":)?(\d+),/gm)].map(([, id]) => Number(id));
  return { ids, pieces };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, id) => id);
const MIB = 1_048_576;

test.each(["text/csv", "application/x-ndjson"])("reads more rows at once while they are small: %s", async (accept) => {
  const { reads, port } = await start(Array.from({ length: 1_000 }, () => 100));
  expect((await exported(port, accept)).ids).toEqual(numbers(1_000));
  expect(reads).toEqual([50, 200, 500, 250]);
});

test.each<[what: string, lengths: readonly number[]]>([
  ["large", Array.from({ length: 100 }, () => 100_000)],
  ["larger than a batch", Array.from({ length: 10 }, () => 1_500_000)],
  ["small at first", [...Array.from({ length: 800 }, () => 10), ...Array.from({ length: 100 }, () => 100_000)]],
  ["small and large by turns", numbers(200).map((id) => (id % 20 < 10 ? 10 : 100_000))],
])("writes at most a megabyte and one row at once if rows are %s", async (_, lengths) => {
  const { reads, port } = await start(lengths);
  const { ids, pieces } = await exported(port, "application/x-ndjson");
  expect(ids).toEqual(numbers(lengths.length));
  expect(Math.max(...pieces)).toBeLessThan(MIB + Math.max(...lengths) + 100);
  // Few rows are read twice.
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(2 * lengths.length + 500);
});

test("counts the rows of a list once", async () => {
  const { counts, reads, port } = await start(numbers(300));
  const response = await fetch(`http://127.0.0.1:${port}/api/notes?count=true`, { headers: { accept: "text/csv" } });
  expect(response.headers.get("total-count")).toBe("300");
  await response.text();
  expect([counts(), reads.length]).toEqual([1, 3]);
});
