import { type Mutant, mutantsOf } from "./mutant.ts";
import { AGGREGATES, FAR_GROUPS, LIMIT_TABLE } from "./suites.ts";

/** Aggregates: the rows that they count, and the fields that they use. */
export const aggregates: readonly Mutant[] = mutantsOf(
  "packages/core/src/engine",
  [AGGREGATES],
  [
    ["only visible rows are aggregated", "run-aggregate.ts", "andFilters(visible, filter)", "filter"],
    [
      "filters of aggregates are authorized",
      "run-aggregate.ts",
      "const { filter, asked } = await authorizeCondition(context, resource, operation);",
      "const { filter, filter: asked } = operation;",
    ],
    [
      "aggregates use only readable fields",
      "run-aggregate.ts",
      "const terms = await authorizeAggregation(context, resource, operation);",
      "const terms = operation.groupBy as never;",
    ],
    [
      "aggregates along relations use only readable fields",
      "read/plan-selection.ts",
      "const terms = await authorizeAggregation(context, target, aggregation);",
      "const terms = aggregation.groupBy as never;",
    ],
    [
      "aggregated fields must be readable",
      "access/authorize-aggregation.ts",
      'await requireField(context, resource, field, "aggregate");',
      "await undefined;",
    ],
    [
      "grouped fields must be readable",
      "access/authorize-aggregation.ts",
      'await requireField(context, resource, term.field, "group");',
      "await undefined;",
    ],
    [
      "grouped fields along relations must be readable",
      "access/authorize-aggregation.ts",
      'await requireField(context, target, term.field, "group");',
      "await undefined;",
      [FAR_GROUPS],
    ],
    [
      "groups along relations only consider visible rows",
      "access/authorize-aggregation.ts",
      "...(isAlways(visible) ? {} : { filter: visible })",
      "",
      [FAR_GROUPS],
    ],
    [
      "groups along relations only consider rows in the scope",
      "scope/scoped-store.ts",
      "return relation === undefined ? term : this.#scope.value({ ...term, relation, filter });",
      "return term;",
      [FAR_GROUPS],
    ],
    [
      "fields in conditions on groups must be readable",
      "access/authorize-aggregation.ts",
      'await requireField(context, resource, field, "having");',
      "await undefined;",
    ],
    [
      "fields in sorts of groups must be readable",
      "access/authorize-aggregation.ts",
      'await requireField(context, resource, field, "sort");',
      "await undefined;",
    ],
    ["the number of groups is limited", "aggregate/read-groups.ts", "if (more) {", "if (false) {", [LIMIT_TABLE]],
  ],
);
