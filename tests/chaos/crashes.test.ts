import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCrashes } from "./crashes.ts";

/** MySQL is tested by the long form. */
const SHORT = servers.filter(({ name }) => name !== "mysql");

describe.each(SHORT)("on $name", ({ missing, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined)(
    "J08, I10: keeps every acknowledged write exactly once, however often the application is killed",
    async () => {
      const report = await runCrashes({ url: database.url, kills: 6 });
      expect(report).toMatchObject({ lost: [], doubled: [], invented: [], missed: [] });
      expect(report.events).toBeGreaterThan(30);
      expect(report.acknowledged).toBeGreaterThan(20);
      // At least one kill interrupted a request.
      expect(report.failures).toBeGreaterThan(0);
    },
    120_000,
  );
});
