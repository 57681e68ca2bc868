import type { TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_START_MS, type RunningHost, startNodeHttp } from "../runtimes/host.ts";
import { connector, EDEN, KEYS, LENSES } from "./bookstores.ts";
import { fill, storesOf } from "./test-hosts.ts";

/** A flag of Node with which `eval` and `new Function` throw, as they do on workerd. */
const FLAG = "--disallow-code-generation-from-strings";

describe.each(storesOf())(`Node with ${FLAG}, $store`, ({ server }) => {
  let running: RunningHost;
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await server?.create();
    if (database !== undefined) await fill(database.url);
    running = await startNodeHttp({ keys: KEYS, database: database?.url }, [FLAG]);
  }, MAX_START_MS);
  afterAll(async () => {
    await running?.close();
    await database?.drop();
  });

  test.each(["REST", "GraphQL"] as const)("serves the bookstore over %s", async (lens) => {
    const { book } = connector(() => `http://127.0.0.1:${running.port}`, LENSES[lens])("admin");
    const title = `Eden over ${lens}`;
    const { id } = (await book.create({ ...EDEN, title })) as { readonly id: string };
    const select = { title: true, price: true, author: { select: { name: true } }, averageStars: true } as const;
    const created = { title, price: 9, author: { name: "Stanisław Lem" }, averageStars: null };
    expect(await book.get(id, { select })).toEqual(created);
    expect(await book.list({ filter: { title: { eq: title } }, select })).toMatchObject({ items: [created] });
    expect(await book.update(id, { price: 11 })).toMatchObject({ id, price: 11 });
    await book.delete(id);
    expect(await book.get(id)).toBeNull();
  });
});
