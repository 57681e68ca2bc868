import { memoryStore, type Store } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { drawSeed } from "@bifocal/test-servers/seed";
import { servers } from "@bifocal/test-servers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createShelf, type Reply, send, type Shelf } from "./shelf.ts";

type Caller = "ann" | "bob" | "ed";
const CALLERS: readonly Caller[] = ["ann", "bob", "ed"];

/** Fields that every caller can read, and values of fields that some callers can't read, in each world. */
interface Step {
  readonly open: Readonly<Record<string, unknown>>;
  readonly hidden: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
}

const text = fc.constantFrom("Emma", "Ulysses", "Dune");
const open = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ title: text }) },
  { weight: 1, arbitrary: fc.record({ tags: fc.array(text, { maxLength: 2 }) }) },
);
/** `bob` can read none of these: only editors see the price, only the owner sees the notes, and no caller the code. */
const hidden = fc.oneof(
  fc.constant({}),
  fc.record({ price: fc.option(fc.nat(9)) }),
  fc.record({ notes: fc.option(text) }),
  fc.record({ code: fc.option(text), notes: fc.option(text) }),
);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(fc.record({ open, hidden: fc.tuple(hidden, hidden) }), {
  maxLength: 8,
});

/** Creates a book and applies the steps in one world. `ann` changes open fields, and `ed` hidden ones alone. */
async function write(api: Shelf, world: 0 | 1, all: readonly Step[]): Promise<number> {
  const created = await send(api, "ann", "POST /books", { title: "New", ...all[0]?.hidden[world] });
  expect(created.status).toBe(201);
  const { id } = created.body as { readonly id: number };
  for (const step of all) {
    const values = { ...step.open, ...step.hidden[world] };
    if (Object.keys(values).length === 0) continue;
    const writer = Object.keys(step.open).length > 0 ? "ann" : "ed";
    expect((await send(api, writer, `PATCH /books/${id}`, values)).status).toBe(200);
  }
  return id;
}

const ENTRY = "by operation action changes { field from to }";

/** Questions whose answers contain no random id and no time. */
function questionsAbout(
  id: number,
): readonly (readonly [request: string, body?: object | undefined, accept?: string])[] {
  const fields = "fields=by,operation,action,changes&page[size]=50";
  const query = (text: string): [string, object] => ["POST /graphql", { query: text }];
  return [
    [`GET /books/${id}/history?${fields}&count=true`],
    [`GET /books/${id}/history?${fields}&filter[by]=ed&count=true`],
    [`GET /books/${id}/history?${fields}&filter[operation]=update`],
    [`GET /books/${id}/history?${fields}`, undefined, "text/csv"],
    [`GET /books/${id}?fields=id,history.changes&rel[history][page][size]=50`],
    [`GET /books?filter[history][some][by]=ed&fields=id&count=true`],
    [`GET /books?filter[history][every][by]=ann&fields=id&count=true`],
    [`GET /books?filter[history][none][by]=ed&fields=id&count=true`],
    query(`{ book(id: ${id}) { history(first: 50) { totalCount nodes { ${ENTRY} } } } }`),
    query(`{ book(id: ${id}) { history(last: 2) { nodes { ${ENTRY} } } } }`),
    query(`{ books(filter: { history: { some: { by: { eq: "ed" } } } }) { totalCount } }`),
  ];
}

/** Without the version of the book, which counts all of its writes and which every caller can read. */
const shown = ({ status, headers, body }: Reply): string =>
  JSON.stringify([status, headers.get("etag")?.replace(/^"\d+\./, ""), headers.get("total-count"), body]);

interface Kind {
  readonly name: string;
  readonly missing?: string | undefined;
  readonly runs: number;
  readonly open: () => Promise<{ readonly store: Store; readonly drop: () => Promise<unknown> }>;
}

const KINDS: readonly Kind[] = [
  { name: "memory", runs: 60, open: async () => ({ store: memoryStore(), drop: async () => {} }) },
  ...servers.map(({ name, missing, create }) => ({
    name,
    missing,
    runs: name === "sqlite" ? 25 : 10,
    open: async () => {
      const database = await create();
      return { store: sqlStore({ url: database.url, autoCreate: true, max: 2 }), drop: () => database.drop() };
    },
  })),
];

describe.each(KINDS)("$name", ({ missing, runs, open: openStore }) => {
  test.skipIf(missing !== undefined)("a caller doesn't notice changes of fields that it can't read", async () => {
    const [one, other] = [await openStore(), await openStore()];
    const worlds = [createShelf(one.store), createShelf(other.store)] as const;
    let found = 0;
    let different = 0;
    const property = fc.asyncProperty(steps, async (all) => {
      const id = await write(worlds[0], 0, all);
      expect(await write(worlds[1], 1, all)).toBe(id);
      for (const [request, body, accept] of questionsAbout(id)) {
        const headers = accept === undefined ? {} : { accept };
        const [here, there] = await Promise.all(worlds.map((api) => send(api, "bob", request, body, headers)));
        expect(shown(there as Reply)).toBe(shown(here as Reply));
        if (here?.status === 200) found += 1;
      }
      const [here, there] = await Promise.all(
        worlds.map((api) => send(api, "ed", `GET /books/${id}/history?fields=changes`)),
      );
      if (JSON.stringify(here?.body) !== JSON.stringify(there?.body)) different += 1;
    });
    try {
      // At least one run has a difference that an editor can read.
      const examples: [readonly Step[]][] = [[[{ open: {}, hidden: [{ price: 1 }, { price: 2 }] }]]];
      await fc.assert(property, { numRuns: runs, examples, seed: drawSeed("HISTORY_SEED") });
    } finally {
      for (const api of worlds) await api.close();
      await Promise.all([one.drop(), other.drop()]);
    }
    // Every question has an answer, and an editor sees that the worlds differ.
    expect(found).toBe(runs * questionsAbout(1).length);
    expect(different).toBeGreaterThan(runs / 20);
  });

  test.skipIf(missing !== undefined)(
    "both styles and local calls return the entries that a caller may read",
    async () => {
      const { store, drop } = await openStore();
      const api = createShelf(store);
      let compared = 0;
      const property = fc.asyncProperty(steps, fc.constantFrom(...CALLERS), async (all, as) => {
        const id = await write(api, 0, all);
        const expected = expectedEntries(id, all, as);
        const rest = await send(api, as, `GET /books/${id}/history?fields=by,operation,action,changes&page[size]=50`);
        expect(rest.body).toEqual(expected);
        const query = `{ book(id: ${id}) { history(first: 50) { nodes { ${ENTRY} } } } }`;
        const graphql = await send(api, as, "POST /graphql", { query });
        expect(graphql.body).toEqual({ data: { book: { history: { nodes: expected } } } });
        const principal = as === "ed" ? { id: as, roles: ["editor"] } : { id: as };
        const local = await api.as(principal).book.history(id, { page: { size: 50 } });
        expect(local.items.map(({ by, operation, action, changes }) => ({ by, operation, action, changes }))).toEqual(
          expected,
        );
        compared += expected.length;
      });
      try {
        await fc.assert(property, { numRuns: runs, seed: drawSeed("HISTORY_SEED") });
      } finally {
        await api.close();
        await drop();
      }
      expect(compared).toBeGreaterThan(runs);
    },
  );
});

const FIELDS = ["id", "title", "price", "ownerId", "notes", "tags"] as const;
const READABLE: Readonly<Record<Caller, readonly (typeof FIELDS)[number][]>> = {
  ann: ["id", "title", "ownerId", "notes", "tags"],
  bob: ["id", "title", "ownerId", "tags"],
  ed: ["id", "title", "price", "ownerId", "tags"],
};

/** Computes the history from the steps alone. */
function expectedEntries(id: number, all: readonly Step[], as: Caller): readonly object[] {
  const entries: object[] = [];
  let row: Readonly<Record<string, unknown>> = {};
  const note = (by: string, operation: string, values: Readonly<Record<string, unknown>>): void => {
    const after = { ...row, ...values };
    const changes = FIELDS.map((field) => ({ field, from: row[field] ?? null, to: after[field] ?? null })).filter(
      ({ field, from, to }) => READABLE[as].includes(field) && JSON.stringify(from) !== JSON.stringify(to),
    );
    if (changes.length > 0) entries.unshift({ by, operation, action: null, changes });
    row = after;
  };
  note("ann", "create", { id, title: "New", ownerId: "ann", tags: [], ...all[0]?.hidden[0] });
  for (const step of all) {
    note(Object.keys(step.open).length > 0 ? "ann" : "ed", "update", { ...step.open, ...step.hidden[0] });
  }
  return entries;
}
