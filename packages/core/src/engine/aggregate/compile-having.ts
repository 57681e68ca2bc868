import type { MeasureModel, ResourceModel } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import { compareField } from "../../store/evaluate-filter.ts";
import type { GroupValues } from "./read-measures.ts";

/** Compiles a condition on groups. It has the same two-valued logic as a filter on rows. */
export function compileHaving(having: Filter, resource: ResourceModel): (group: GroupValues) => boolean {
  switch (having.kind) {
    case "constant":
      return () => having.value;
    case "and": {
      const all = having.filters.map((inner) => compileHaving(inner, resource));
      return (group) => all.every((matches) => matches(group));
    }
    case "or": {
      const all = having.filters.map((inner) => compileHaving(inner, resource));
      return (group) => all.some((matches) => matches(group));
    }
    case "not": {
      const matches = compileHaving(having.filter, resource);
      return (group) => !matches(group);
    }
    case "compare":
      return compareField(having, (resource.aggregates.measures.get(having.field) as MeasureModel).type);
    case "related":
      throw new Error("Internal error: a condition on groups must not follow relations.");
  }
}
