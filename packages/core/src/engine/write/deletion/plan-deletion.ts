import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import { valuesFilter } from "../../../operation/keys-filter.ts";
import { type OperationContext, storeOfReferences } from "../../operation-context.ts";
import { isDeleted } from "../../scope/living.ts";
import { eachRow } from "../../read/each-row.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { clearedFields } from "./cleared-fields.ts";
import { incomingReferences } from "./incoming-references.ts";
import { nameHolders } from "./name-holders.ts";
import { regenerate } from "../create/build-row.ts";
import type { Deletion, PlannedDeletion } from "./deletion.ts";
import { orderDeletion } from "./order-deletion.ts";

export interface DeletionOptions {
  /** Tokens of the keys that the same operation deletes, whatever their `onDelete`. */
  readonly alsoDeleted?: ReadonlySet<string> | undefined;
  /** Maximum number of other rows to delete or change; absent: no limit. */
  readonly most?: number | undefined;
}

/** Number of values in one read. */
const CHUNK = 500;

/**
 * Follows every reference to a row, level by level. Throws CONFLICT if a `restrict` reference belongs to a row that
 * isn't deleted, or if more than `most` rows would be deleted or changed.
 */
export async function planDeletion(
  context: OperationContext,
  resource: ResourceModel,
  key: Key,
  row: Row,
  { alsoDeleted, most }: DeletionOptions = {},
): Promise<Deletion> {
  const root: PlannedDeletion = { resource, key, row };
  const isSoft = resource.softDelete !== undefined;
  const isAlsoDeleted = (from: ResourceModel, its: Key): boolean =>
    from === resource && alsoDeleted?.has(keyToken(its)) === true;
  const cascaded: PlannedDeletion[] = [];
  const emptied = new Map<string, { resource: ResourceModel; key: Key; set: Row }>();
  const planned = new Set([tokenOf(resource, key)]);

  async function follow(level: readonly PlannedDeletion[]): Promise<readonly PlannedDeletion[]> {
    const next: PlannedDeletion[] = [];
    for (const { from, relation, values } of pointingAt(context, level)) {
      const isKept = relation.onDelete === "restrict" && (isSoft || from.softDelete === undefined);
      if (isKept && (alsoDeleted === undefined || from !== resource)) continue;
      // Deleted rows also hold references, which must not be left dangling.
      const store = storeOfReferences(context, from.name, !isSoft);
      const visit = (found: Row): void => {
        const foundKey = keyOf(from, found);
        const token = tokenOf(from, foundKey);
        if (planned.has(token)) return;
        const isLost = relation.onDelete === "restrict" && isDeleted(from, found);
        if (relation.onDelete === "cascade" || isLost || isAlsoDeleted(from, foundKey)) {
          planned.add(token);
          next.push({ resource: from, key: foundKey, row: found });
        } else if (relation.onDelete !== "restrict") {
          // `restrict` references are checked once all deleted rows are known.
          const cleared = Object.fromEntries(clearedFields(from, relation).map((name) => [name, null]));
          const set = { ...emptied.get(token)?.set, ...cleared, ...regenerate(context, from) };
          emptied.set(token, { resource: from, key: foundKey, set });
        }
        const others = planned.size - 1 + emptied.size;
        if (most !== undefined && others > most) throw tooManyOthers(context, resource);
      };
      await eachRow(context, from, valuesFilter(relation.local, values), visit, store);
    }
    return next;
  }

  for (let level: readonly PlannedDeletion[] = [root]; level.length > 0; ) {
    level = await follow(level);
    cascaded.push(...level);
  }
  await refuseHeld(context, [root, ...cascaded], planned, resource);
  const left = [...emptied].flatMap(([token, one]) => (planned.has(token) ? [] : [one]));
  if (isSoft) return { isSoft, cascaded, nullified: undefined, emptied: left };
  return { isSoft, ...orderDeletion(context, root, cascaded), emptied: left };
}

/** Throws if a row with a `restrict` reference isn't deleted. */
async function refuseHeld(
  context: OperationContext,
  parents: readonly PlannedDeletion[],
  planned: ReadonlySet<string>,
  { name }: ResourceModel,
): Promise<void> {
  for (const { from, relation, values } of pointingAt(context, parents)) {
    if (relation.onDelete !== "restrict") continue;
    // Reads one row more than are deleted, so that at least one of them isn't.
    const query = { resource: from, sort: totalSort(from, []), limit: planned.size + 1 };
    const find = async (visible?: Filter): Promise<readonly Row[]> => {
      const filter = andFilters(valuesFilter(relation.local, values), visible);
      const store = visible === undefined ? storeOfReferences(context, from.name) : context.storeOf(from.name);
      const { rows } = await store.list({ ...query, filter }, context.deadline);
      return rows.filter((found) => !planned.has(tokenOf(from, keyOf(from, found))));
    };
    if ((await find()).length === 0) continue;
    const holders = await nameHolders(context, from, relation, find);
    const message = `This ${name} can't be deleted while ${holders} reference it. Delete or change them first.`;
    throw new BifocalError("CONFLICT", message);
  }
}

function tooManyOthers({ engine }: OperationContext, { name }: ResourceModel): BifocalError {
  const most = engine.limits.query.cascade.toLocaleString("en");
  const message = `Deleting this ${name} would delete or change more than ${most} other rows (limit 'cascade'). Delete some of them first.`;
  return new BifocalError("CONFLICT", message);
}

interface Pointing {
  readonly from: ResourceModel;
  readonly relation: RelationModel;
  readonly values: readonly Key[];
}

/** Returns the references that may refer to some rows, with the values to look up in chunks. */
function pointingAt(context: OperationContext, planned: readonly PlannedDeletion[]): readonly Pointing[] {
  const byResource = new Map<ResourceModel, Row[]>();
  for (const { resource, row } of planned) {
    const rows = byResource.get(resource);
    if (rows === undefined) byResource.set(resource, [row]);
    else rows.push(row);
  }
  const pointing: Pointing[] = [];
  for (const [target, rows] of byResource) {
    for (const { resource: from, relation } of incomingReferences(context.engine.model, target)) {
      const values = rows.flatMap((row) => {
        const value = referenceOf(relation.foreign, row);
        return value === null ? [] : [value];
      });
      for (let at = 0; at < values.length; at += CHUNK) {
        pointing.push({ from, relation, values: values.slice(at, at + CHUNK) });
      }
    }
  }
  return pointing;
}

function tokenOf(resource: ResourceModel, key: Key): string {
  return `${resource.name} ${keyToken(key)}`;
}
