import { createFixture, type Fixture, ROWS } from "@bifocal/testing";
import type { Row, StoreContext } from "@bifocal/core/store";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sqlStore, type SqlStore } from "../src/index.ts";

const IDS = (ROWS["book"] ?? []).map(({ id }) => id as string);
const PRICES = new Map((ROWS["book"] ?? []).map(({ id, price }) => [id as string, price]));

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  const isRemote = name !== "sqlite";
  let database: TestDatabase;
  let fixture: Fixture;
  let store: SqlStore;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.clear();
    fixture = await createFixture(() => (store = sqlStore({ url: database.url, autoCreate: true })));
  });
  afterEach(() => fixture.close());

  interface Asked {
    readonly price?: number;
    readonly fields?: readonly string[];
    readonly context?: StoreContext;
  }

  async function read(id: string, { price, fields, context = fixture.context }: Asked = {}): Promise<readonly Row[]> {
    const filter =
      price === undefined ? undefined : ({ kind: "compare", field: "price", operator: "gte", value: price } as const);
    return store.byKeys(
      { resource: fixture.resource("book"), keys: [id], filter, fields: fields && new Set(fields) },
      context,
    );
  }

  async function countOf(work: () => Promise<unknown>): Promise<number> {
    return (await store.explain(work)).statements.length;
  }

  test("reads many keys of one turn with one statement, and returns to each its own row", async () => {
    const asked = [...IDS, "nobody", ...IDS];
    let found: readonly (readonly Row[])[] = [];
    const count = await countOf(async () => (found = await Promise.all(asked.map((id) => read(id)))));
    expect(found.map((rows) => rows.map(({ id }) => id))).toEqual(asked.map((id) => (id === "nobody" ? [] : [id])));
    expect(count).toBe(isRemote ? 1 : asked.length);
  });

  test("doesn't reuse the result of an earlier turn", async () => {
    const [id = ""] = IDS;
    const before = await Promise.all([read(id), read(id)]);
    await store.update({ resource: fixture.resource("book"), key: id, set: { title: "Another" } }, fixture.context);
    const after = await Promise.all([read(id), read(id)]);
    expect(after.map(([row]) => row?.["title"])).toEqual(["Another", "Another"]);
    expect(before[0]?.[0]?.["title"]).not.toBe("Another");
  });

  test("reads each row by the rules of its own caller", async () => {
    const limits = [0, 10, 1_000_000];
    const asked = limits.flatMap((price) => IDS.map((id) => ({ id, price })));
    const found = await Promise.all(asked.map(({ id, price }) => read(id, { price })));
    const expected = asked.map(({ id, price }) => (Number(PRICES.get(id) ?? -1) >= price ? [id] : []));
    expect(found.map((rows) => rows.map((row) => row["id"]))).toEqual(expected);
    expect(new Set(expected.map((ids) => ids.length)).size).toBe(2);
  });

  test("uses a separate statement for other fields", async () => {
    const [one = "", two = ""] = IDS;
    const work = (): Promise<unknown> => Promise.all([read(one), read(two, { fields: ["id", "title"] }), read(two)]);
    expect(await countOf(work)).toBe(isRemote ? 2 : 3);
  });

  test("doesn't affect the others if one read is aborted", async () => {
    const [one = "", two = ""] = IDS;
    const gone = { signal: AbortSignal.abort(new Error("Gone.")) };
    for (const order of [
      [gone, fixture.context],
      [fixture.context, gone],
    ]) {
      const [first, second] = await Promise.allSettled(
        order.map((context, at) => read(at === 0 ? one : two, { context })),
      );
      const isFirstGone = order[0] === gone;
      expect([first?.status, second?.status].includes("fulfilled")).toBe(true);
      expect((isFirstGone ? second : first)?.status).toBe("fulfilled");
    }
  });

  test("reads a thousand keys at once, half of which don't exist", async () => {
    const asked = Array.from({ length: 1_000 }, (_, at) =>
      at % 2 === 0 ? (IDS[at % IDS.length] as string) : `n${at}`,
    );
    const found = await Promise.all(asked.map((id) => read(id)));
    expect(found.map((rows) => rows[0]?.["id"])).toEqual(
      asked.map((id) => (id.startsWith("n") && !IDS.includes(id) ? undefined : id)),
    );
  });
});
