import { foldCase, type Json } from "@bifocal/core/store";
import { sql } from "kysely";
import { slot } from "../../statement/slot.ts";
import type { Sql } from "../dialect.ts";

/** A character and its folded form. */
type Pair = readonly [from: string, to: string];

/**
 * Maximum number of nested `replace()` calls. With more pairs, the statement walks through a list, which is slower.
 */
const MAX_NESTED = 64;

/**
 * Returns the number of replacements that folding a stored text needs. It is rounded up so that few different
 * statements are needed, and is part of a statement's shape.
 */
export function foldShape(folded: string): string {
  const { length } = pairsFor(folded);
  return length > MAX_NESTED ? "~*" : `~${placesFor(length)}`;
}

/**
 * Returns a stored text in the form that `foldCase` gives it, as far as a comparison with `needle` depends on it.
 * SQLite's `lower()` covers only ASCII, so the other characters that fold to a character of `needle` are replaced
 * individually. A custom function would be simpler, but `node:sqlite` doesn't free the memory of its calls until the
 * statement ends.
 */
export function foldStored(value: Sql, index: number, needle: string): Sql {
  const count = pairsFor(foldCase(needle)).length;
  if (count > MAX_NESTED) return foldByList(value, index);
  let text = sql`lower(${value})`;
  for (let at = 0; at < placesFor(count); at++) {
    const [from, to] = ([0, 1] as const).map((side) => slot(index, (given) => pairAt(given, at)[side]));
    text = sql`replace(${text}, ${from}, ${to})`;
  }
  return text;
}

function foldByList(value: Sql, index: number): Sql {
  const pairs = slot(index, (given) => JSON.stringify(pairsFor(foldCase(given as string))));
  const pair = (side: 0 | 1): Sql =>
    sql`json_extract(${pairs}, '$[' || at || ${sql.lit(side === 0 ? "][0]" : "][1]")})`;
  const step = sql`select at + 1, replace(text, ${pair(0)}, ${pair(1)}) from folded where at < json_array_length(${pairs})`;
  const steps = sql`with recursive folded(at, text) as (select 0, lower(${value}) union all ${step})`;
  return sql`(${steps} select text from folded order by at desc limit 1)`;
}

/** `replace()` returns the text unchanged if the pattern is empty. */
const NOTHING: Pair = ["", ""];

function pairAt(needle: Json, at: number): Pair {
  return pairsFor(foldCase(needle as string))[at] ?? NOTHING;
}

function placesFor(count: number): number {
  return count <= 1 ? count : 2 ** Math.ceil(Math.log2(count));
}

let last: { readonly folded: string; readonly pairs: readonly Pair[] } = { folded: "", pairs: [] };

/** Returns the characters that fold to a character of a folded text, without those that `lower()` covers. */
function pairsFor(folded: string): readonly Pair[] {
  if (last.folded === folded) return last.pairs;
  const pairs: Pair[] = [];
  for (const to of new Set(folded)) for (const from of sourcesOf(to)) pairs.push([from, foldCase(from)]);
  // `İ` folds to two characters and may have been found for both.
  const pairsOnce = [...new Map(pairs).entries()];
  last = { folded, pairs: pairsOnce };
  return pairsOnce;
}

function sourcesOf(character: string): readonly string[] {
  if (character === "i") return ["İ"];
  if (character === "k") return ["\u212A"];
  return character < "\u0080" ? [] : (sources().get(character) ?? []);
}

let known: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Maps each folded character to the characters beyond ASCII that fold to it. Building the map takes some milliseconds,
 * so it is built on first use.
 */
function sources(): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known;
  const found = new Map<string, string[]>();
  // Only the first two planes of Unicode contain letters with case.
  for (let point = 0x80; point < 0x2_0000; point++) {
    const character = String.fromCodePoint(point);
    const folded = foldCase(character);
    if (folded === character) continue;
    for (const part of folded) found.set(part, [...(found.get(part) ?? []), character]);
  }
  known = found;
  return found;
}
