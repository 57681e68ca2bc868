import { z } from "zod";

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};
const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address, such as ann@example.com",
  url: "a URL, such as https://example.com",
  uuid: "a UUID",
  date: "a date, such as 2027-01-31",
  datetime: "a date and time, such as 2027-01-31T12:00:00Z",
  time: "a time, such as 12:30:00",
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
};

/**
 * Returns zod's default message in plain words: "Must be at least 0." Undefined for other issues, and if the
 * application has configured messages of its own. Messages in a schema have precedence.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  return hasOwnMessages() ? undefined : sentenceOf(issue);
}

function hasOwnMessages(): boolean {
  const { customError, localeError } = z.config();
  const probe: z.core.$ZodRawIssue = { code: "invalid_value", values: [1], input: 0 };
  return customError !== undefined || localeError?.(probe) !== "Invalid input: expected 1";
}

function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, issue.input);
    case "invalid_value":
      return `Must be ${issue.values.length === 1 ? "" : "one of: "}${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return outside(issue.origin, issue.minimum, issue.exact, issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return outside(issue.origin, issue.maximum, issue.exact, issue.inclusive === false ? "less than" : "at most");
    case "invalid_format": {
      const format = FORMATS[issue.format];
      return format === undefined ? undefined : `Must be ${format}.`;
    }
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}.`;
    default:
      return undefined;
  }
}

function wrongType(expected: string, input: unknown): string | undefined {
  if (input === undefined) return "This value is required.";
  const wanted = TYPES[expected];
  const type = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  const received = type === "boolean" ? "a boolean" : TYPES[type];
  if (wanted === undefined || received === undefined) return undefined;
  return wanted === received || type === "number" ? `Must be ${wanted}.` : `Must be ${wanted}; received ${received}.`;
}

function outside(
  origin: string,
  limit: number | bigint,
  isExact: boolean | undefined,
  relation: string,
): string | undefined {
  if (origin === "number" || origin === "int" || origin === "bigint") return `Must be ${relation} ${limit}.`;
  const units = UNITS[origin];
  if (units === undefined) return undefined;
  if (relation === "at least" && Number(limit) === 1 && isExact !== true) return "Must not be empty.";
  return `Must have ${isExact === true ? "exactly" : relation} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}.`;
}
