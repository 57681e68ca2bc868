import { type Path, quote, refuse } from "../errors/refuse.ts";
import type { Limits } from "../limits/limits.ts";
import { groupTermName, type GroupTerm } from "../model/measure.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Aggregation, GroupSortTerm } from "../operation/aggregation.ts";
import { lowerHaving } from "./lower-having.ts";
import { hintFor, lowerGroupTerms, lowerMeasures } from "./lower-measures.ts";
import type { FilterForm } from "./lower-operand.ts";
import { lowerPage, type PageInput } from "./lower-page.ts";

/** The parts of an aggregation, as all styles name them. */
export interface AggregationInput {
  readonly aggregate: Iterable<string>;
  readonly group: readonly string[];
  readonly having: unknown;
  readonly sort: readonly unknown[];
  readonly page: PageInput;
}

interface AggregationOptions {
  readonly form: FilterForm;
  readonly limits: Limits;
  /** Location of the aggregation in the request, for messages. */
  readonly path: Path;
  /** Location of the page. Default: `page` within the path. */
  readonly pagePath?: Path;
}

/** Lowers an aggregation. Throws BAD_REQUEST for unknown names and contradictory parts. */
export function lowerAggregation(
  resource: ResourceModel,
  { aggregate, group, having, sort, page }: AggregationInput,
  { form, limits, path, pagePath = [...path, "page"] }: AggregationOptions,
): Aggregation {
  const groupBy = lowerGroupTerms(resource, group, [...path, "group"]);
  const condition = lowerHaving(resource, having, { form, limits, path: [...path, "having"] });
  return {
    measures: lowerMeasures(resource, aggregate, [...path, "aggregate"]),
    groupBy,
    ...(condition === undefined ? {} : { having: condition }),
    sort: lowerGroupSort(resource, sort, groupBy, [...path, "sort"]),
    page: lowerPage(resource, page, limits, pagePath),
  };
}

function lowerGroupSort(
  resource: ResourceModel,
  terms: readonly unknown[],
  groupBy: readonly GroupTerm[],
  path: Path,
): readonly GroupSortTerm[] {
  const { measures, groups } = resource.aggregates;
  const grouped = groupBy.map(groupTermName);
  const sort: GroupSortTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const at = [...path, index];
    if (typeof term !== "string")
      return refuse(at, "invalid_sort", "A sort term must be a name, with '-' for descending order.");
    const descending = term.startsWith("-");
    const name = descending ? term.slice(1) : term;
    if (sort.some((other) => other.name === name)) refuse(at, "repeated", `${quote(name)} appears twice in the sort.`);
    if (!measures.has(name) && !grouped.includes(name)) {
      if (groups.has(name))
        refuse(at, "not_grouped", `Groups can't be sorted by '${name}' unless they are grouped by it.`);
      const hint = hintFor(name, [...measures.keys(), ...grouped]);
      refuse(at, "unknown_field", `The groups of '${resource.name}' can't be sorted by ${quote(name)}. ${hint}`);
    }
    sort.push({ name, descending });
  }
  return sort;
}
