import { foldCase, type Json } from "@bifocal/core/store";
import { sql } from "kysely";
import { slot } from "../../statement/slot.ts";
import type { Sql } from "../dialect.ts";

/** A character, and what it folds to. */
type Pair = readonly [from: string, to: string];

/** Pairs that a statement replaces one by one; with more of them it walks through a list, which takes longer. */
const MAX_NESTED = 64;

/**
 * How many replacements a statement needs to fold a stored text, rounded up so that few statements are needed: part of a
 * statement's shape.
 */
export function foldShape(folded: string): string {
  const { length } = pairsFor(folded);
  return length > MAX_NESTED ? "~*" : `~${placesFor(length)}`;
}

/**
 * A stored text in the form that `foldCase` gives it, as far as a comparison with `needle` can tell. `lower()` of SQLite
 * knows ASCII, so each other character that folds to one of `needle` is replaced. A function of ours would be simpler, but
 * `node:sqlite` keeps the memory of each call until the statement ends.
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

/** SQLite returns the text unchanged when the pattern is empty. */
const NOTHING: Pair = ["", ""];

function pairAt(needle: Json, at: number): Pair {
  return pairsFor(foldCase(needle as string))[at] ?? NOTHING;
}

function placesFor(count: number): number {
  return count <= 1 ? count : 2 ** Math.ceil(Math.log2(count));
}

let last: { readonly folded: string; readonly pairs: readonly Pair[] } = { folded: "", pairs: [] };

/** The characters that fold to those of a folded text, except those that `lower()` knows. */
function pairsFor(folded: string): readonly Pair[] {
  if (last.folded === folded) return last.pairs;
  const pairs: Pair[] = [];
  for (const to of new Set(folded)) for (const from of sourcesOf(to)) pairs.push([from, foldCase(from)]);
  // `İ` folds to two characters, and may be here for both.
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

/** All characters beyond ASCII that fold to others, by those. Takes some milliseconds, so it is made once it is needed. */
function sources(): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known;
  const found = new Map<string, string[]>();
  // Only the first two planes of Unicode have letters with case.
  for (let point = 0x80; point < 0x2_0000; point++) {
    const character = String.fromCodePoint(point);
    const folded = foldCase(character);
    if (folded === character) continue;
    for (const part of folded) found.set(part, [...(found.get(part) ?? []), character]);
  }
  known = found;
  return found;
}
