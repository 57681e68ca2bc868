import { expect, test } from "vitest";
import { constraintName, indexName, isOwnConstraint, isOwnIndex, uniqueNames } from "./constraint-name.ts";

test("includes the table and columns, and a hash if it is too long", () => {
  expect(constraintName("books", ["author_id"], "fkey")).toBe("books_author_id_fkey");
  const long = constraintName("t".repeat(30), ["a".repeat(40)], "fkey");
  expect(long).toBe("tttttttttttttttttttttttttttttt_aaaaaaaaaaaaaaa_caaacb0e_fkey");
});

test("recognizes the indexes of references, but not those of an application over several columns", () => {
  const columns = ["author_realm", "author_id", "id"];
  const isOwn = (name: string): boolean => isOwnIndex("books", { name, columns });
  expect(isOwn(indexName("books", ["author_realm"]))).toBe(true);
  expect(isOwn(indexName("books", ["author_realm", "author_id"]))).toBe(true);
  expect(isOwn("books_author_realm_author_id_idx")).toBe(false);
  expect(isOwn("books_author_realm_author_id_id_idx")).toBe(false);
});

test("gives two unique groups two names", () => {
  const groups = [["a", "b"], ["a_b"], ["c"]];
  const names = uniqueNames("things", groups);
  expect(names).toEqual(["things_a_b_key", expect.stringMatching(/^things_a_b_[\da-f]{8}_key$/), "things_c_key"]);
  for (const [at, columns] of groups.entries()) {
    expect(isOwnConstraint("things", { name: names[at] as string, columns }, "key")).toBe(true);
  }
});
