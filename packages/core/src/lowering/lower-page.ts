import type { ResourceModel } from "../model/model.ts";
import type { Limits } from "../limits/limits.ts";
import type { Page } from "../operation/page.ts";
import { listNames, type Path, quote, refuse } from "../errors/refuse.ts";

/**
 * The parameters of a page. REST and local calls use `size`, GraphQL uses `first` or `last`. `null` and `undefined`
 * mean that a parameter is absent.
 */
export interface PageInput {
  readonly size?: unknown;
  readonly first?: unknown;
  readonly last?: unknown;
  readonly after?: unknown;
  readonly before?: unknown;
  readonly offset?: unknown;
}

const WORDS: readonly (keyof PageInput)[] = ["size", "first", "last", "after", "before", "offset"];
const CURSOR_LENGTH = 4_096;

/**
 * Lowers a page request whose values are JSON or text. Values are never clamped: those that are too large, negative or
 * contradictory fail with BAD_REQUEST, and so does a `size` of zero. `before` without `first` or `after` selects the
 * last rows of the range.
 */
export function lowerPage(resource: ResourceModel, request: PageInput, limits: Limits, path: Path): Page {
  const given = givenWords(request, path);
  if (given.length === 0) return { size: resource.page.size };
  refuseContradiction(given, path);
  const sizeWord = given.find((word) => word === "size" || word === "first" || word === "last");
  const size = sizeWord === undefined ? resource.page.size : pageSize(resource, sizeWord, request[sizeWord], path);
  const page: { -readonly [K in keyof Page]: Page[K] } = { size };
  if (given.includes("after")) page.after = cursor(request.after, [...path, "after"]);
  if (given.includes("before")) page.before = cursor(request.before, [...path, "before"]);
  if (given.includes("offset")) {
    const offset = wholeNumber(request.offset, 0, limits.query.offset, [...path, "offset"]);
    if (offset > 0) page.offset = offset;
  }
  const isFromEnd =
    sizeWord === "last" || (page.before !== undefined && page.after === undefined && sizeWord !== "first");
  if (isFromEnd) page.fromEnd = true;
  return page;
}

function givenWords(request: PageInput, path: Path): readonly (keyof PageInput)[] {
  const given: (keyof PageInput)[] = [];
  for (const [name, value] of Object.entries(request)) {
    const word = WORDS.find((known) => known === name);
    if (word === undefined) {
      const exists = listNames(["size", "after", "before", "offset"]);
      return refuse([...path, name], "unknown_parameter", `Unknown page option ${quote(name)}. Available: ${exists}.`);
    }
    if (value !== undefined && value !== null) given.push(word);
  }
  return given;
}

const CONTRADICTIONS: readonly (readonly (keyof PageInput)[])[] = [
  ["first", "last"],
  ["size", "first"],
  ["size", "last"],
  ["offset", "after"],
  ["offset", "before"],
  ["offset", "last"],
];

function refuseContradiction(given: readonly (keyof PageInput)[], path: Path): void {
  // Relay allows both ends, but only `first` or `last` determines which rows to return.
  const isRange = given.includes("first") || given.includes("last");
  const pairs = isRange ? CONTRADICTIONS : [...CONTRADICTIONS, ["after", "before"] as const];
  for (const [one, other] of pairs) {
    if (one !== undefined && other !== undefined && given.includes(one) && given.includes(other))
      refuse([...path, other], "contradiction", `'${one}' and '${other}' can't be combined.`);
  }
}

/** Relay allows pages without rows, for clients that only need the page information (Relay's connections, §4.4). */
function pageSize(resource: ResourceModel, word: keyof PageInput, value: unknown, path: Path): number {
  return wholeNumber(value, word === "size" ? 1 : 0, resource.page.max, [...path, word]);
}

function wholeNumber(value: unknown, least: number, most: number, path: Path): number {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= least && number <= most) return number;
  return refuse(path, "out_of_range", `'${path.at(-1)}' must be a whole number from ${least} to ${most}.`);
}

function cursor(value: unknown, path: Path): string {
  if (typeof value === "string" && value !== "" && value.length <= CURSOR_LENGTH) return value;
  return refuse(path, "invalid_cursor", `'${path.at(-1)}' is not a valid cursor.`);
}
