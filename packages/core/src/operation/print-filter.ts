import { canonicalJson } from "../util/canonical-json.ts";
import type { Filter } from "./filter.ts";

/** Prints a filter on one line, for people: `authorId eq "a" and (price gt 5 or not sold eq true)`. */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case "constant":
      return filter.value ? "every row" : "no row";
    case "compare":
      return `${filter.field} ${filter.operator} ${canonicalJson(filter.value)}`;
    case "not":
      return `not ${printPart(filter.filter)}`;
    case "related": {
      const quantifier = filter.quantifier === "one" ? "" : ` ${filter.quantifier}`;
      return `${filter.relation}${quantifier} (${printFilter(filter.filter)})`;
    }
    case "and":
    case "or":
      return filter.filters.map(printPart).join(` ${filter.kind} `);
  }
}

function printPart(filter: Filter): string {
  return filter.kind === "and" || filter.kind === "or" ? `(${printFilter(filter)})` : printFilter(filter);
}
