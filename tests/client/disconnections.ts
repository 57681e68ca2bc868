import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createBookstore } from "@bifocal/example-bookstore/create";
import type { ResourceModel, Row } from "@bifocal/core/store";
import { sqlStore } from "@bifocal/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator, type Operator } from "../faults/operator.ts";
import { type Connect, KEYS } from "./bookstores.ts";

/** More than the connections of a served bookstore. */
const CLIENTS = 6;
const BOOKS = 3;
/** The exported rows. Together they are larger than the buffers between a server and a client that doesn't read. */
const [EXPORTED, BIO] = [2_000, "x".repeat(2_000)];

interface Hosted {
  readonly connect: Connect;
  readonly url: () => string;
  /** The URL of the database. */
  readonly database: () => string;
  /** Whether the host doesn't report that a client has disconnected. */
  readonly lacksDisconnects: boolean;
}

/** Tests that clients which disconnect leave nothing behind in the database of a bookstore, and lose no written rows. */
export function testDisconnections({ connect, url, database, lacksDisconnects }: Hosted): void {
  let operator: Operator | undefined;
  beforeAll(async () => {
    if (!database().startsWith("sqlite")) operator = await createOperator(database(), "books");
    await insertAuthors(database());
  }, 60_000);
  afterAll(() => operator?.close());

  /** Sends a request as an admin. The body is complete, or half of it. */
  function send(method: string, path: string, { body, isHalf = false, accept = "application/json" }: Sent = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(url() + path, {
      method,
      agent: false,
      headers: {
        accept,
        authorization: `Bearer ${KEYS.admin}`,
        ...(text === undefined ? {} : { "content-type": "application/json", "content-length": text.length }),
      },
    });
    sent.on("error", () => {});
    if (isHalf) sent.write(text?.slice(0, text.length / 2));
    else sent.end(text);
    return sent;
  }

  const writtenAuthors = async (prefix: string) => {
    const filter = { name: { startsWith: prefix } };
    const select = { name: true, bookCount: true } as const;
    return (await connect("admin").author.list({ filter, select, page: { size: 100 } })).items;
  };

  /** Waits until the connections of the server are idle, and outside of transactions. */
  async function expectIdle(): Promise<void> {
    if (operator === undefined) return;
    const { busy, left } = operator;
    // MySQL caches its list of transactions until it wasn't read for 100 ms.
    await expect.poll(async () => (await busy()) + (await left()), { interval: 150 }).toBe(0);
  }

  describe("a client that disconnects", () => {
    test("ends its waiting statements and transactions, and the server serves on", async ({ skip }) => {
      if (operator === undefined) return skip("SQLite has no server");
      const unlock = await operator.lock();
      try {
        const body = authorWithBooks("Waiting");
        const waiting = Array.from({ length: CLIENTS }, (_, at) =>
          at % 2 === 0 ? send("POST", "/authors", { body }) : send("GET", "/books"),
        );
        await expect.poll(() => operator?.busy()).toBeGreaterThan(1);
        for (const one of waiting) one.destroy();
        if (!lacksDisconnects) await expectIdle();
      } finally {
        await unlock();
      }
      await expectIdle();
      const written = await writtenAuthors("Waiting");
      expect(written.filter(({ bookCount }) => !lacksDisconnects || bookCount !== BOOKS)).toEqual([]);
    });

    test("leaves whole writes or none, and all that were acknowledged", async () => {
      const delays = Array.from({ length: 24 }, (_, at) => (at * 7) % 60);
      const acknowledged: string[] = [];
      await Promise.all(
        delays.map(async (delay, at) => {
          const isHalf = at % 4 === 0;
          const name = `${isHalf ? "Half" : "Whole"} ${at}`;
          const sent = send("POST", "/authors", { body: authorWithBooks(name), isHalf });
          const status = responseOf(sent).then(
            ({ statusCode }) => statusCode,
            () => undefined,
          );
          if (at % 4 !== 3) {
            await sleep(delay);
            sent.destroy();
          }
          if ((await status) === 201) acknowledged.push(name);
        }),
      );
      expect(acknowledged.length).toBeGreaterThanOrEqual(6);
      await expectIdle();
      const written = await writtenAuthors("Whole");
      expect(written.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged));
      expect(written.filter(({ bookCount }) => bookCount !== BOOKS)).toEqual([]);
      expect(await writtenAuthors("Half")).toEqual([]);
    });
  });

  test("slow readers of exports hold no connection, and receive all rows once they read", async () => {
    const path = "/authors?fields=id,name,bio&filter[name][startsWith]=Exported";
    const exports = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, at) => {
        const accept = at % 2 === 0 ? "application/x-ndjson" : "text/csv";
        const response = await responseOf(send("GET", path, { accept }));
        expect(response.statusCode).toBe(200);
        return response;
      }),
    );
    await expectIdle();
    expect((await connect("admin").book.list({ page: { size: 1 } })).items).toHaveLength(1);
    const [lines, rows, ...others] = exports as [IncomingMessage, IncomingMessage, ...IncomingMessage[]];
    for (const other of others) other.destroy();
    expect(await Promise.all([lines, rows].map(countLines))).toEqual([EXPORTED, EXPORTED + 1]);
    await expectIdle();
  });
}

interface Sent {
  readonly body?: object;
  readonly isHalf?: boolean;
  readonly accept?: string;
}

function authorWithBooks(name: string) {
  const books = Array.from({ length: BOOKS }, (_, at) => ({
    title: `${name}, volume ${at}`,
    genre: "novel",
    price: 9,
    publishedAt: null,
  }));
  return { name, email: null, bio: null, born: null, books };
}

async function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function countLines(response: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const line of createInterface(response)) if (line !== "") lines++;
  return lines;
}

async function insertAuthors(url: string): Promise<void> {
  const store = sqlStore({ url, max: 1 });
  const { api } = createBookstore({ store, keys: KEYS });
  await api.ready;
  const resource = api.model.resources.get("author") as ResourceModel;
  const rows = Array.from({ length: EXPORTED }, (_, at): Row => {
    const id = `d0000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    return { id, name: `Exported ${at}`, email: null, bio: BIO, born: null, createdAt: NOW, userId: null };
  });
  for (let at = 0; at < EXPORTED; at += 500)
    await store.insert({ resource, rows: rows.slice(at, at + 500) }, { signal: undefined });
  await api.close();
}

const NOW = "2026-01-01T00:00:00.000Z";
