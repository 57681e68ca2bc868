import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { plainIssue } from "./plain-issue.ts";

const { localeError } = z.config();
afterEach(() => void z.config({ localeError, customError: undefined }));
const messageOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: plainIssue }).error?.issues[0]?.message;

test.each<[schema: z.ZodType, value: unknown, message: string]>([
  [z.number(), undefined, "This value is required."],
  [z.number(), "5", "Must be a number; received a string."],
  [z.string(), null, "Must be a string; received null."],
  [z.boolean(), 1, "Must be true or false."],
  [z.int32(), 1.5, "Must be a whole number."],
  [z.array(z.string()), {}, "Must be a list; received an object."],
  [z.number().min(0).max(5), -1, "Must be at least 0."],
  [z.number().min(0).max(5), 9, "Must be at most 5."],
  [z.number().positive(), 0, "Must be more than 0."],
  [z.number().lt(10), 10, "Must be less than 10."],
  [z.number().multipleOf(5), 7, "Must be a multiple of 5."],
  [z.string().min(1), "", "Must not be empty."],
  [z.string().min(3), "ab", "Must have at least 3 characters."],
  [z.string().max(1), "ab", "Must have at most 1 character."],
  [z.string().length(1), "", "Must have exactly 1 character."],
  [z.array(z.string()).max(2), ["a", "b", "c"], "Must have at most 2 items."],
  [z.enum(["novel", "essay"]), "poem", "Must be one of: novel, essay."],
  [z.literal("book"), "poem", "Must be book."],
  [z.email(), "ann", "Must be an email address, such as ann@example.com."],
  [z.iso.date(), "1.2.", "Must be a date, such as 2027-01-31."],
  [z.uuid(), "1", "Must be a UUID."],
  [z.number().min(0, "No refunds."), -1, "No refunds."],
])("%# returns a plain sentence", (schema, value, message) => {
  expect(messageOf(schema, value)).toBe(message);
});

test("keeps the messages that the application has configured", () => {
  z.config({ localeError: () => "Ungültig." });
  expect(messageOf(z.number(), "5")).toBe("Ungültig.");
  z.config({ localeError, customError: () => "Nope." });
  expect(messageOf(z.number(), "5")).toBe("Nope.");
});
