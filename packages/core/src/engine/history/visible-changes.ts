import type { HistoryChange } from "../../model/history.ts";
import { isRecorded } from "../../model/history.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { ROW_RELATION } from "../../model/history.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { referenceOf, tokenIn, tokenOf } from "../../model/reference.ts";
import type { Filter } from "../../operation/filter.ts";
import { keyOf } from "../../operation/key.ts";
import type { Json } from "../../util/json.ts";
import { decide, isAlways, isNever } from "../access/decide.ts";
import { type OperationContext, storeWithDeleted } from "../operation-context.ts";
import { matchRows } from "../read/match-rows.ts";

type Shows = (entry: Row) => boolean;

/** Returns the changes of each entry that the caller can read, by the rules of the fields and the current row. */
export async function visibleChanges(
  context: OperationContext,
  history: ResourceModel,
  entries: readonly Row[],
): Promise<readonly Json[]> {
  const shows = await shownFields(context, history, entries);
  return entries.map((entry) =>
    changesOf(entry)
      .filter(({ field }) => shows.get(field)?.(entry) ?? false)
      // Databases don't keep the order of the members.
      .map(({ field, from, to }) => ({ field, from, to })),
  );
}

function changesOf({ entries }: Row): readonly HistoryChange[] {
  return (entries ?? []) as unknown as readonly HistoryChange[];
}

/** Returns a test for each field that shows on any of the entries. */
async function shownFields(
  context: OperationContext,
  history: ResourceModel,
  entries: readonly Row[],
): Promise<ReadonlyMap<string, Shows>> {
  const relation = history.relations.get(ROW_RELATION) as RelationModel;
  const resource = resourceOf(context.engine.model, relation.target);
  const named = new Set(entries.flatMap((entry) => changesOf(entry).map(({ field }) => field)));
  const shows = new Map<string, Shows>();
  const byRow: { readonly name: string; readonly filter: Filter }[] = [];
  for (const name of named) {
    const field = resource.fields.get(name);
    if (field === undefined || !isRecorded(resource, field)) continue;
    const filter = await decide(context, field.read, resource);
    if (isAlways(filter)) shows.set(name, () => true);
    else if (!isNever(filter)) byRow.push({ name, filter });
  }
  if (byRow.length === 0) return shows;
  const rows = await readRows(context, resource, relation, entries);
  for (const { name, filter } of byRow) {
    const matches = await matchRows(context, resource, [...rows.values()], filter);
    shows.set(name, (entry) => {
      const row = rows.get(tokenIn(relation.local, entry) as string);
      return row !== undefined && matches(row);
    });
  }
  return shows;
}

async function readRows(
  context: OperationContext,
  resource: ResourceModel,
  { local }: RelationModel,
  entries: readonly Row[],
): Promise<ReadonlyMap<string | number, Row>> {
  const keys = new Map(entries.map((entry) => [tokenIn(local, entry), referenceOf(local, entry) as Key]));
  const query = { resource, keys: [...keys.values()] };
  const rows = await storeWithDeleted(context, resource.name).byKeys(query, context.deadline);
  return new Map(rows.map((row) => [tokenOf(keyOf(resource, row)), row]));
}
