import { expect, test } from "vitest";
import { constraintName, isOwnConstraint, uniqueNames } from "./constraint-name.ts";

test("includes the table and columns, and a hash if it is too long", () => {
  expect(constraintName("books", ["author_id"], "fkey")).toBe("books_author_id_fkey");
  const long = constraintName("t".repeat(30), ["a".repeat(40)], "fkey");
  expect(long).toBe("tttttttttttttttttttttttttttttt_aaaaaaaaaaaaaaa_caaacb0e_fkey");
});

test("gives two unique groups two names", () => {
  const groups = [["a", "b"], ["a_b"], ["c"]];
  const names = uniqueNames("things", groups);
  expect(names).toEqual(["things_a_b_key", expect.stringMatching(/^things_a_b_[\da-f]{8}_key$/), "things_c_key"]);
  for (const [at, columns] of groups.entries()) {
    expect(isOwnConstraint("things", { name: names[at] as string, columns }, "key")).toBe(true);
  }
});
