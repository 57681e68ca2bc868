import { createFixture } from "@bifocal/testing";
import type { TestDatabase } from "@bifocal/test-servers";
import { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { hosts } from "./hosts.ts";

interface Tables {
  readonly authors: { readonly id: number; readonly name: string; readonly born: string | null };
}

/** The application keeps using its Kysely while the store uses it. */
describe.each(hosts)("$name", ({ name, server: { missing, create }, dialect }) => {
  let database: TestDatabase;
  let kysely: Kysely<Tables>;
  beforeEach(async () => {
    if (missing !== undefined) return;
    database = await create();
    kysely = new Kysely<Tables>({ dialect: dialect(database.url) });
  });
  afterEach(async () => {
    await kysely?.destroy();
    await database?.drop();
  });

  // A transaction holds the only connection to a file. SQLite uses one connection.
  test.skipIf(missing !== undefined || name === "sqlite")(
    "keeps an application's own transaction separate from the store's",
    async () => {
      const fixture = await createFixture(() => sqlStore({ kysely, autoCreate: true, foreignKeys: false }));
      const rolledBack = kysely.transaction().execute(async (transaction) => {
        await transaction.insertInto("authors").values({ id: 77, name: "Mine", born: null }).execute();
        expect(await fixture.row("author", 77)).toBeUndefined();
        throw new Error("no");
      });
      await expect(rolledBack).rejects.toThrow("no");
      expect(await fixture.row("author", 77)).toBeUndefined();
      await fixture.close();
    },
  );

  test.skipIf(missing !== undefined)("reads rows of the application's Kysely, and the other way around", async () => {
    const fixture = await createFixture(() => sqlStore({ kysely, autoCreate: true, foreignKeys: false }));
    await kysely.insertInto("authors").values({ id: 78, name: "Mine", born: "1999-12-31" }).execute();
    expect(await fixture.row("author", 78)).toEqual({ id: 78, name: "Mine", born: "1999-12-31" });
    const work = fixture.store.transaction(async (store) => {
      await store.insert(
        { resource: fixture.resource("author"), rows: [{ id: 79, name: "Theirs", born: null }] },
        fixture.context,
      );
      throw new Error("no");
    }, fixture.context);
    await expect(work).rejects.toThrow("no");
    const { n } = await kysely
      .selectFrom("authors")
      .select((build) => build.fn.count("id").as("n"))
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(5);
    await fixture.close();
  });
});
