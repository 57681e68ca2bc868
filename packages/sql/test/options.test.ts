import { expect, test } from "vitest";
import { sqlStore } from "../src/index.ts";

const callFromJavaScript = sqlStore as (...values: readonly unknown[]) => unknown;

test("rejects a second argument, which would be ignored, without printing the URL", () => {
  expect(() => callFromJavaScript("postgres://ann:secret@localhost/books", { max: 20 })).toThrow(
    "sqlStore() has one argument. Pass options together with the URL: sqlStore({ url, max: 20 }).",
  );
});

test("accepts the index that a map passes", async () => {
  const [store] = [":memory:"].map(sqlStore);
  expect(store).toBeDefined();
  await store?.close?.();
});

test("rejects an unknown option with the closest name", () => {
  expect(() => callFromJavaScript({ url: ":memory:", autocreate: true })).toThrow(
    "sqlStore() has no option 'autocreate'. Did you mean 'autoCreate'?",
  );
});
