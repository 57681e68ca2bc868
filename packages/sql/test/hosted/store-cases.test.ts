import { createFixture, skipReason, storeCases } from "@bifocal/testing";
import type { TestDatabase } from "@bifocal/test-servers";
import { CamelCasePlugin, Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { hosts } from "./hosts.ts";

// SQLite of the application lacks the function that compares words.
const casesOf = (name: string) => storeCases.filter(({ needs }) => name !== "sqlite" || !needs.includes("search"));

describe.each(hosts)("$name", ({ name, server: { missing, create }, dialect }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  // Runs only a sample of the cases, because the code below the dialect is the same.
  describe.skipIf(missing !== undefined)("over a Kysely dialect", () => {
    test.each(casesOf(name).filter((_, at) => at % 12 === 0))("$id $name", async (one) => {
      await database.empty();
      const store = sqlStore({ dialect: dialect(database.url), autoCreate: true, foreignKeys: false });
      const fixture = await createFixture(() => store);
      try {
        expect(skipReason(one, store.capabilities)).toBeUndefined();
        await one.run(fixture);
      } finally {
        await fixture.close();
      }
    });
  });

  describe.skipIf(missing !== undefined)("over the application's own Kysely with renamed columns", () => {
    interface Tables {
      readonly authors: { readonly id: number; readonly name: string; readonly born: string | null };
    }
    test.each(casesOf(name))("$id $name", async (one) => {
      await database.empty();
      // An SQLite file that was deleted and recreated is a different file, so each test opens it again.
      const own = dialect(database.url);
      const host = new Kysely<Tables>({ dialect: own, plugins: [new CamelCasePlugin()] });
      const store = sqlStore({ kysely: host, autoCreate: true, foreignKeys: false });
      const fixture = await createFixture(() => store);
      try {
        await one.run(fixture);
        // The application can still use its Kysely after the store is closed.
        await fixture.close();
        const rows = await host.selectFrom("authors").select(["id", "name"]).orderBy("id").execute();
        expect(Array.isArray(rows)).toBe(true);
      } finally {
        await host.destroy();
      }
    });
  });
});
