import { createFixture, skipReason, storeCases } from "@bifocal/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../src/index.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";

describe.each(servers)("$name", ({ missing, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined).each(storeCases)("$id $name", async (one) => {
    await database.empty();
    // The cases delete rows that other rows reference, which the engine never does.
    const store = sqlStore({ url: database.url, autoCreate: true, foreignKeys: false });
    const fixture = await createFixture(() => store);
    const reason = skipReason(one, store.capabilities);
    expect(reason).toBeUndefined();
    try {
      await one.run(fixture);
    } finally {
      await fixture.close();
    }
  });
});
