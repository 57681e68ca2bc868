import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { lowerAggregateField, selectedMeasures } from "./lower/lower-aggregate.ts";
import { type Resolver, resolver } from "./resolver.ts";

/** Resolves `booksAggregate(filter, groupBy, …)`. */
export function resolveAggregate(target: FieldTarget): Resolver {
  return resolver({
    select: (nodes, document) => selectedMeasures(target, nodes, document),
    lower: (args, measures) => {
      const { condition, aggregation } = lowerAggregateField(target, args, measures, []);
      return { kind: "aggregate", resource: target.resource.name, ...condition, ...aggregation };
    },
    read: (outcome) => (outcome.kind === "groups" ? outcome.page : unexpectedOutcome(outcome)),
  });
}
