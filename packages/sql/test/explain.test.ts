import { allow, belongsTo, defineApi, defineResource, hasMany } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), country: z.string(), bio: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  bulk: { create: 3_000 },
  filterable: ["country"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
});
const rows = Array.from({ length: 3_000 }, (_, at) => ({ id: at, name: `n${at}`, country: `c${at % 9}`, bio: "" }));

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());

  test("shows the statements, reads only selected fields, and explains the choice of the plan", async () => {
    const store = sqlStore({ url: database.url, autoCreate: true, plan: "one" });
    const api = defineApi({ resources: [author, book], store });
    const { statements, choices, text } = await store.explain(() =>
      api.local.author.list({ page: { size: 2 }, select: { name: true, books: { select: { title: true } } } }),
    );
    expect(statements.map(({ rows: found }) => found)).toEqual([0]);
    expect(statements[0]?.sql).not.toContain("bio");
    // Local calls need values instead of text, so there is no choice.
    expect(choices).toEqual([]);
    expect(text).toMatch(/^1\. select .*\n {3}0 rows in \d+\.\d\d ms$/);
    await api.close();
  });

  test("reports a missing index", async () => {
    await database.clear();
    const bare = { fields: author.config.fields, access, bulk: { create: 3_000 } };
    const before = defineApi({
      resources: [defineResource("author", bare)],
      store: sqlStore({ url: database.url, autoCreate: true }),
    });
    await before.local.author.createMany(rows);
    await before.close();
    const store = sqlStore({ url: database.url, autoCreate: true });
    const api = defineApi({ resources: [author, book], store });
    const byCountry = await store.explain(() =>
      api.local.author.list({ filter: { country: { eq: "c1" } }, page: { size: 2 } }),
    );
    const byKey = await store.explain(() => api.local.author.get(7));
    expect(byKey.statements.map(({ advice }) => advice)).toEqual([[]]);
    // SQLite and MySQL scan along the key, because of the order, and check each row.
    const advice = byCountry.statements[0]?.advice.join() ?? "";
    expect(advice).toMatch(name === "postgres" ? /^'authors' is scanned row by row .*country/ : /^$/);
    await api.close();
  });
});
