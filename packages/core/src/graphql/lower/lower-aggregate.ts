import type { FieldNode } from "graphql";
import { AGGREGATE_FUNCTIONS } from "../../definition/aggregate-functions.ts";
import { lowerAggregation } from "../../lowering/lower-aggregation.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import { capitalize } from "../schema/names.ts";
import type { Document } from "./document.ts";
import { eachField } from "./each-field.ts";
import type { FieldTarget } from "./field-target.ts";
import { lowerConditionArguments } from "./lower-list.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the names of the measures that a field of the document selects: `count`, `avg.price`. */
export function selectedMeasures(
  { resource: { typeName } }: FieldTarget,
  nodes: readonly FieldNode[],
  whole: Document,
): ReadonlySet<string> {
  // Groups have no key, so deferred fragments can't read them again. One operation reads the measures of all fragments.
  const { parts, ...document } = whole;
  const names = new Set<string>();
  for (const parent of new Set(nodes.flatMap((node) => parts?.sameFields(node) ?? [node]))) {
    eachField(parent.selectionSet, `${typeName}AggregatePage`, document, (page) => {
      if (page.name.value !== "nodes") return;
      eachField(page.selectionSet, `${typeName}Aggregate`, document, (node) => {
        const name = node.name.value;
        if (name === "count") names.add(name);
        if (!AGGREGATE_FUNCTIONS.some((known) => known === name)) return;
        eachField(node.selectionSet, typeName + capitalize(name), document, (inner) => {
          if (inner.name.value !== "__typename") names.add(`${name}.${inner.name.value}`);
        });
      });
    });
  }
  return names;
}

/** Lowers the arguments of `booksAggregate`. */
export function lowerAggregateField(
  target: FieldTarget,
  args: Arguments,
  aggregate: Iterable<string>,
  path: readonly string[],
): { readonly condition: RowCondition; readonly aggregation: Aggregation } {
  const { resource, limits } = target;
  const condition = lowerConditionArguments(target, args, path);
  const { groupBy, having, sort, first, after, last, before, offset } = args;
  const parts = {
    aggregate,
    group: (groupBy ?? []) as readonly string[],
    having,
    sort: (sort ?? []) as readonly string[],
    page: { first, after, last, before, offset },
  };
  const aggregation = lowerAggregation(resource, parts, { form: "wire", limits, path, pagePath: path });
  return { condition, aggregation };
}
