import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Change, ChangeStream } from "../../src/operations.ts";
import {
  allow,
  asSystem,
  defineApi,
  defineResource,
  deny,
  memoryStore,
  type Principal,
  silentLog,
} from "../../src/index.ts";
import { createCaller } from "../../src/operation/create-caller.ts";
import type { WatchOperation } from "../../src/operation/operation.ts";
import type { StreamOutcome } from "../../src/operation/outcome.ts";
import { membersOf } from "../members-of.ts";
import { createLibrary, newBook, PRINCIPALS } from "./library.ts";
import { Client, serve } from "./serve.ts";

const { ann, bob, cy } = PRINCIPALS;
const WATCH: WatchOperation = {
  kind: "watch",
  resource: "book",
  on: ["created", "updated", "deleted"],
  selection: { fields: ["id", "title"], relations: [] },
};
const with_ = (...fields: string[]): WatchOperation => ({ ...WATCH, selection: { fields, relations: [] } });

type Library = ReturnType<typeof createLibrary>;

async function watch(
  { api }: { readonly api: Pick<Library["api"], "run"> },
  operation: WatchOperation,
  principal: Principal | null,
): Promise<ChangeStream> {
  const outcome = await api.run(operation, createCaller(principal, undefined));
  if (outcome.kind === "failure") throw outcome.error;
  return (outcome as StreamOutcome).changes;
}

async function next(stream: ChangeStream): Promise<Change> {
  const { value } = await stream.next();
  if (value === undefined) throw new Error("The stream is over.");
  return value;
}

/** Reads the next change, with the members of its row. */
async function nextShown(stream: ChangeStream): Promise<object> {
  const change = await next(stream);
  return "row" in change ? { kind: change.kind, row: membersOf(change.row) } : change;
}

describe("F17: subscribers with the same selection and rights", () => {
  test.each<[name: string, operation: WatchOperation, principals: readonly (Principal | null)[], reads: number]>([
    ["an anonymous subscriber a hundred times", WATCH, Array<null>(100).fill(null), 1],
    ["one principal a hundred times", WATCH, Array<Principal>(100).fill(ann), 1],
    ["principals with the same rule results", with_("id", "price"), [ann, bob, { ...bob }], 1],
    ["subscribers with other visible rows", WATCH, [ann, cy, null], 2],
    ["subscribers with other visible fields", with_("id", "price"), [cy, null], 2],
    ["subscribers with rules per row", with_("id", "secret"), [ann, bob, ann], 2],
  ])("shares reads between %s", async (_, operation, principals, reads) => {
    const library = createLibrary();
    const streams = await Promise.all(principals.map((principal) => watch(library, operation, principal)));
    library.calls.length = 0;
    await library.books.update(1, { title: "New" });
    const changes = await Promise.all(streams.map(next));
    expect(library.calls).toEqual(Array(reads).fill("book.byKeys(1)"));
    expect(new Set(changes).size).toBe(reads);
    expect(library.listeners()).toBe(1);
    for (const stream of streams) void stream.return();
    expect(library.listeners()).toBe(0);
  });

  test("reads a relation once for all of them", async () => {
    const library = createLibrary();
    const selection = {
      fields: ["title"],
      relations: [{ relation: "author", as: "author", sort: [], selection: { fields: ["name"], relations: [] } }],
    };
    const streams = await Promise.all([null, null, null].map((who) => watch(library, { ...WATCH, selection }, who)));
    library.calls.length = 0;
    library.calls.length = 0;
    await library.books.update(1, { title: "New" });
    await Promise.all(streams.map(next));
    expect(library.calls).toEqual(["book.byKeys(1)", "author.byKeys(1)"]);
  });

  test("shares over sockets, whatever their ids are", async () => {
    const library = createLibrary();
    const served = await serve(library.api);
    const query = "subscription { bookUpdated { title price author { name } } }";
    const clients = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const client = await Client.open(served.url, n % 3 === 0 ? {} : { key: n % 3 === 1 ? "ann" : "bob" });
        await client.send({ type: "subscribe", id: `${n}`, payload: { query } });
        await client.settle();
        return client;
      }),
    );
    library.calls.length = 0;
    await library.books.update(1, { title: "New" });
    const seen = await Promise.all(clients.map((client) => client.next()));
    for (const [n, message] of seen.entries()) {
      const bookUpdated = { title: "New", price: n % 3 === 0 ? null : 1, author: { name: "Jane" } };
      expect(message).toMatchObject({ id: `${n}`, type: "next", payload: { data: { bookUpdated } } });
    }
    // Once for the anonymous subscriber, and once for the authenticated ones.
    expect(library.calls.toSorted()).toEqual([
      "author.byKeys(1)",
      "author.byKeys(1)",
      "book.byKeys(1)",
      "book.byKeys(1)",
    ]);
    await served.close();
  });
});

test("sends no caller a byte that it cannot see", async () => {
  const principal = fc.oneof(
    fc.constant(null),
    fc.record({ id: fc.constantFrom("ann", "bob", "cy"), roles: fc.subarray(["editor", "reader"]) }),
  );
  const write = fc.record({
    id: fc.integer({ min: 1, max: 4 }),
    draft: fc.boolean(),
    owner: fc.constantFrom("ann", "bob", "cy"),
  });
  const property = fc.asyncProperty(
    fc.array(principal, { minLength: 2, maxLength: 6 }),
    fc.array(write, { minLength: 1, maxLength: 8 }),
    async (principals, writes) => {
      const library = createLibrary();
      await library.books.create(newBook(4));
      const operation = with_("id", "title", "price", "draft", "owner", "secret");
      const streams = await Promise.all(principals.map((who) => watch(library, operation, who)));
      for (const { id, ...changes } of writes) {
        await library.books.update(id, { ...changes, title: `${Math.random()}` });
        // Wait for the read before the next write, so that each change shows its own state.
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const [index, who] of principals.entries()) {
        const stream = streams[index] as ChangeStream;
        const seesDrafts = who?.roles.includes("editor") === true;
        const drafts = new Set([3]);
        for (const { id, draft, owner } of writes) {
          const wasHidden = drafts.has(id);
          if (draft) drafts.add(id);
          else drafts.delete(id);
          if (draft && wasHidden && !seesDrafts) continue;
          const change = await nextShown(stream);
          const isGone = draft && !seesDrafts;
          const row = {
            id,
            draft,
            owner,
            price: who === null ? undefined : id,
            secret: who?.id === owner ? `secret ${id}` : undefined,
          };
          expect(change).toMatchObject(isGone ? { kind: "left", key: id } : { kind: "updated", row });
          expect("row" in change).toBe(!isGone);
        }
        void stream.return();
      }
      expect(library.listeners()).toBe(0);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test("reports a row as left only if the subscriber's filter matched it before, even without rules", async () => {
  const library = createLibrary();
  const filter = { kind: "compare", field: "title", operator: "eq", value: "Book 1" } as const;
  const stream = await watch(library, { ...WATCH, filter }, asSystem("a test"));
  await library.books.update(2, { title: "New" });
  await library.books.update(1, { title: "Newer" });
  expect(await next(stream)).toMatchObject({ kind: "left", key: 1 });
});

test("shows the system what every other subscriber is denied", async () => {
  const access = { read: allow, create: allow, update: allow, delete: allow, fields: { secret: { read: deny } } };
  const note = defineResource("note", { fields: { id: z.int32(), secret: z.string() }, access });
  const api = defineApi({ resources: [note], store: memoryStore(), log: silentLog });
  const operation = { ...with_("id", "secret"), resource: "note" };
  const streams = await Promise.all([null, asSystem("a test")].map((who) => watch({ api }, operation, who)));
  for (const id of [1, 2, 3]) {
    await api.as(asSystem("a test")).note.create({ id, secret: "x" });
    const shown = await Promise.all(streams.map(nextShown));
    expect(shown).toEqual([
      { kind: "created", row: { id } },
      { kind: "created", row: { id, secret: "x" } },
    ]);
  }
  await api.close();
});

test("evaluates a rule for every event, with current data", async () => {
  const library = createLibrary();
  const roles: string[] = ["editor"];
  const stream = await watch(library, WATCH, { id: "dee", roles });
  const other = await watch(library, WATCH, ann);
  await library.books.update(3, { title: "first" });
  expect(await nextShown(stream)).toMatchObject({ row: { title: "first" } });
  roles.length = 0;
  await library.books.update(3, { title: "second" });
  await library.books.update(1, { title: "third" });
  expect(await nextShown(stream)).toMatchObject({ row: { title: "third" } });
  expect(await nextShown(other)).toMatchObject({ row: { title: "first" } });
  expect(await nextShown(other)).toMatchObject({ row: { title: "second" } });
});

test("a failing subscriber receives nothing more, and the others continue", async () => {
  const library = createLibrary();
  const [failing, working] = await Promise.all([watch(library, WATCH, null), watch(library, WATCH, null)]);
  const ends: unknown[] = [];
  failing.listen({
    next: () => {
      throw new Error("the cause");
    },
    end: (error) => ends.push(error?.code),
  });
  for (const title of ["a", "b"]) await library.books.update(1, { title });
  expect([await next(working), await next(working)]).toHaveLength(2);
  expect(ends).toEqual(["INTERNAL"]);
  expect(library.entries.map(({ message }) => message)).toContain(
    "Delivering a change to a subscriber failed. The subscription was ended.",
  );
});

test("a subscriber that doesn't read receives a reset, without delaying others", async () => {
  const library = createLibrary();
  const [idle, busy] = await Promise.all([watch(library, WATCH, null), watch(library, WATCH, null)]);
  const got: Change[] = [];
  busy.listen({ next: (change) => got.push(change), end: () => {} });
  for (let n = 0; n < 1_050; n++) {
    await library.books.update(1, { title: `${n}` });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(got).toHaveLength(1_050);
  expect(await next(idle)).toMatchObject({ kind: "reset" });
  expect(await next(idle)).toMatchObject({ kind: "updated" });
});
