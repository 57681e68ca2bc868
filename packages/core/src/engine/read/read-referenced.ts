import type { RelationModel, Row } from "../../model/model.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import { valuesFilter } from "../../operation/keys-filter.ts";
import type { KeysQuery } from "../../store/store.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { mapMaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { totalSort } from "./needed-fields.ts";

/**
 * Reads the rows that a `belongsTo` references. `keys` are the distinct values of the reference: keys of the target, or
 * values of one of its unique groups.
 */
export function readReferenced(
  context: OperationContext,
  relation: RelationModel,
  query: KeysQuery,
): MaybePromise<readonly Row[]> {
  const { resource, keys, fields, relatedValues } = query;
  const store = context.storeOf(resource.name);
  if (relation.toKey) return store.byKeys(query, context.deadline);
  const filter = andFilters(valuesFilter(relation.foreign, keys), query.filter ?? ALWAYS);
  // Similar numbers of keys share a statement. The values are unique, so the limit never cuts.
  const limit = 2 ** Math.ceil(Math.log2(keys.length));
  const list = { resource, filter, sort: totalSort(resource, []), limit, fields, relatedValues };
  return mapMaybePromise(store.list(list, context.deadline), ({ rows }) => rows);
}
