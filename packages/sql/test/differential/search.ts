import { type Filter, type ResourceModel, type Scored, type SortTerm, wordsOf } from "@bifocal/core/store";
import fc from "fast-check";
import type { World } from "./field-filter.ts";
import { TEXTS } from "./values.ts";

/** The condition and the order of a search, as the engine creates them. */
export interface PlannedSearch {
  readonly filter: Filter;
  readonly relevance: SortTerm;
}

type WordOperator = "hasWord" | "hasWordStart";

const WORDS = [...new Set(TEXTS.flatMap(wordsOf))];
const word = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("a", "b", "ab", "example") },
  { weight: 1, arbitrary: fc.constantFrom(...WORDS) },
);
const start = word.chain((whole) => {
  const points = Array.from(whole);
  return fc.integer({ min: 1, max: Math.min(2, points.length) }).map((length) => points.slice(0, length).join(""));
});

/** Generates searches of a resource for up to two words; `undefined` if it has none. */
export function searchOf({ hasSearches, resource }: World, name: string): fc.Arbitrary<PlannedSearch> | undefined {
  const { search } = resource(name);
  if (hasSearches !== true || search.length === 0) return undefined;
  const anywhere = (operator: WordOperator, value: string): Filter[] =>
    search.map((path) => fieldHas(path, operator, value));
  const scoredBy = (filters: readonly Filter[], most: number): Scored[] =>
    filters.map((filter, at) => ({ filter, points: most - 2 * at }));
  return fc.tuple(fc.array(word, { maxLength: 1 }), start).map(([words, last]) => {
    const whole = words.map((one) => anywhere("hasWord", one));
    const starts = anywhere("hasWordStart", last);
    const filters = [...whole, starts].map((parts): Filter => any(parts));
    const score = [
      ...whole.map((parts) => scoredBy(parts, 2 * search.length)),
      [...scoredBy(anywhere("hasWord", last), 2 * search.length), ...scoredBy(starts, 2 * search.length - 1)],
    ];
    return {
      filter: filters.length === 1 ? (filters[0] as Filter) : { kind: "and", filters },
      relevance: { path: ["~relevance"], descending: true, score },
    };
  });
}

function any(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? (filters[0] as Filter) : { kind: "or", filters };
}

function fieldHas([first, second]: ResourceModel["search"][number], operator: WordOperator, value: string): Filter {
  if (second === undefined) return { kind: "compare", field: first, operator, value };
  const filter: Filter = { kind: "compare", field: second, operator, value };
  return { kind: "related", relation: first, quantifier: "one", filter };
}
