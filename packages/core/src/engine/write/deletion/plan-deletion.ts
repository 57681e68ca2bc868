import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { OperationContext } from "../../operation-context.ts";
import { eachRow } from "../../read/each-row.ts";
import { totalSort } from "../../read/needed-fields.ts";
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
  const isAlsoDeleted = (from: ResourceModel, its: Key): boolean =>
    from === resource && alsoDeleted?.has(keyToken(its)) === true;
  const cascaded: PlannedDeletion[] = [];
  const emptied = new Map<string, { resource: ResourceModel; key: Key; set: Row }>();
  const planned = new Set([tokenOf(resource, key)]);

  async function follow(level: readonly PlannedDeletion[]): Promise<readonly PlannedDeletion[]> {
    const next: PlannedDeletion[] = [];
    for (const { from, relation, values } of pointingAt(context, level)) {
      if (relation.onDelete === "restrict" && (alsoDeleted === undefined || from !== resource)) continue;
      await eachRow(context, from, pointingFilter(relation, values), (found) => {
        const foundKey = keyOf(from, found);
        const token = tokenOf(from, foundKey);
        if (planned.has(token)) return;
        if (relation.onDelete === "cascade" || isAlsoDeleted(from, foundKey)) {
          planned.add(token);
          next.push({ resource: from, key: foundKey, row: found });
        } else if (relation.onDelete !== "restrict") {
          // `restrict` references are checked once all deleted rows are known.
          const set = { ...emptied.get(token)?.set, [relation.local]: null, ...regenerate(from) };
          emptied.set(token, { resource: from, key: foundKey, set });
        }
        const others = planned.size - 1 + emptied.size;
        if (most !== undefined && others > most) throw tooManyOthers(context, resource);
      });
    }
    return next;
  }

  for (let level: readonly PlannedDeletion[] = [root]; level.length > 0; ) {
    level = await follow(level);
    cascaded.push(...level);
  }
  await refuseHeld(context, [root, ...cascaded], planned, resource);
  const left = [...emptied].flatMap(([token, one]) => (planned.has(token) ? [] : [one]));
  return { ...orderDeletion(context, root, cascaded), emptied: left };
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
      const filter = andFilters(pointingFilter(relation, values), visible);
      const { rows } = await context.storeOf(from.name).list({ ...query, filter }, context.deadline);
      return rows.filter((found) => !planned.has(tokenOf(from, keyOf(from, found))));
    };
    if ((await find()).length === 0) continue;
    const holders = await nameHolders(context, from, relation, find);
    const message = `This ${name} can't be deleted while ${holders} reference it. Delete or change them first.`;
    throw new BifocalError("CONFLICT", message);
  }
}

function pointingFilter({ local: field }: RelationModel, value: Pointing["values"]): Filter {
  return { kind: "compare", field, operator: "in", value };
}

function tooManyOthers({ engine }: OperationContext, { name }: ResourceModel): BifocalError {
  const most = engine.limits.query.cascade.toLocaleString("en");
  const message = `Deleting this ${name} would delete or change more than ${most} other rows (limit 'cascade'). Delete some of them first.`;
  return new BifocalError("CONFLICT", message);
}

interface Pointing {
  readonly from: ResourceModel;
  readonly relation: RelationModel;
  readonly values: readonly (string | number)[];
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
        const value = row[relation.foreign];
        return typeof value === "string" || typeof value === "number" ? [value] : [];
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
