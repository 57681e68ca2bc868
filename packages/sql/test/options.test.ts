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

test.each([
  [
    { naming: "snakecase" },
    "The option 'naming' of sqlStore() must be 'snake_case', 'same' or the functions table, column and link; received 'snakecase'. Did you mean 'snake_case'?",
  ],
  [{ naming: { table: String } }, "received an object."],
  [{ plan: "both" }, "The option 'plan' of sqlStore() must be 'auto', 'one' or 'flat'; received 'both'."],
])("rejects the value of %o", (options, message) => {
  expect(() => callFromJavaScript({ url: ":memory:", ...options })).toThrow(message);
});

test("rejects the URL of a database that it doesn't support, also if it ends like a file of SQLite", () => {
  for (const url of ["mssql://localhost/books", "sqlite3:books.db", "libsql://host/books.db"])
    expect(() => sqlStore(url)).toThrow(
      `sqlStore() doesn't support the URL '${url}'. Use postgres://, mysql://, mariadb:// or sqlite:.`,
    );
});
