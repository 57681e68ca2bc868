import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { type Filter, isRelated } from "../../operation/filter.ts";
import { keyOf, keyToken } from "../../operation/key.ts";
import { compileFilter, evaluateFilter } from "../../store/evaluate-filter.ts";
import { Evaluation } from "../../store/evaluation.ts";
import type { OperationContext } from "../operation-context.ts";
import { resolveRelated } from "./resolve-related.ts";
import { storeFilter } from "./rewrite-related.ts";

const noRelated = (): never => {
  throw new Error("Internal error: the filter must not contain relations.");
};

/** Whether a stored or future row matches. */
export async function matchesRow(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  filter: Filter,
): Promise<boolean> {
  const own = isRelated(filter) ? await resolveRelated(context, resource, row, filter) : filter;
  return evaluateFilter(own, row, resource, noRelated, context.engine.model);
}

/** Returns a test for stored rows. It works in memory, or with a single read if the filter follows a relation. */
export async function matchRows(
  context: OperationContext,
  resource: ResourceModel,
  rows: readonly Row[],
  filter: Filter,
): Promise<(row: Row) => boolean> {
  if (!isRelated(filter)) {
    return compileFilter(filter, resource, new Evaluation(context.engine.model, noRelated, context.deadline));
  }
  const keys = new Map<string, Key>();
  for (const row of rows) {
    const key = keyOf(resource, row);
    keys.set(keyToken(key), key);
  }
  const where = await storeFilter(context, resource, filter);
  const query = { resource, keys: [...keys.values()], filter: where };
  const found = await context.storeOf(resource.name).byKeys(query, context.deadline);
  const matching = new Set(found.map((row) => keyToken(keyOf(resource, row))));
  return (row) => matching.has(keyToken(keyOf(resource, row)));
}
