import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { andFilters, type Filter, usesRelatedValues } from "../../../operation/filter.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { RowCondition } from "../../../operation/row-condition.ts";
import type { DeleteManyOperation, Precondition, UpdateManyOperation } from "../../../operation/operation.ts";
import type { BatchOutcome } from "../../../operation/outcome.ts";
import { authorizeCondition } from "../../access/authorize-condition.ts";
import { refuseRelatedValues } from "../../access/decide-related.ts";
import { decide, denied, isAlways, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { matchRows } from "../../read/match-rows.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { answerReplays } from "../idempotency/answer-replay.ts";
import { answerRows } from "../answer-row.ts";
import { childrenFirst, createBatchProgress, type Meant } from "./batch-progress.ts";
import { checkInput, invalid, requireWrites } from "../checks/check-input.ts";
import { runByRights } from "../idempotency/run-by-rights.ts";
import { lacksPrecondition, preconditionRequired } from "../../../operation/preconditions.ts";
import { checkVersions } from "../checks/check-versions.ts";
import { deletedRow, deleteRow } from "../deletion/delete-row.ts";
import { decideUpdate, updateRow } from "../update/update-row.ts";

export async function runUpdateMany(context: OperationContext, operation: UpdateManyOperation): Promise<BatchOutcome> {
  const { input, form, selection } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  requireBulk(context, resource, "update");
  const what = `update these ${resource.plural}`;
  const rule = resource.access.update;
  const checked = await checkInput(context, { resource, mode: "update", rule, input, form, what });
  const { row: written, decision, byFields } = checked;
  requireVersions(context, resource, operation.ifMatch);
  const key = resource.key.find((name) => written[name] !== undefined);
  if (key !== undefined) {
    const message = `'${key}' is the key and must be unique, so a bulk update can't set it.`;
    throw invalid([{ path: [key], message, code: "not_unique" }]);
  }
  const meant = await meantRows(context, resource, operation);
  const { value, row, isReplay, isOther } = await runByRights<Key[]>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const found = await findRows(inner, resource, meant, { most: resource.bulk.update, decision, what });
      const hooked = { context: inner, operation, resource, events };
      const versions = await checkVersions(inner, resource, found, operation.ifMatch);
      const { whereOf, isTouched } = createBatchProgress(resource, meant, decision, events);
      const change = { written, check: decision, byFields, isDecided: true, what };
      if (resource.hooks.update?.before !== undefined) await decideUpdate(inner, resource, change, found);
      const changed: Row[] = [];
      for (const row of found) {
        const key = keyOf(resource, row);
        const ifMatch = isTouched(key) ? undefined : versions?.get(row);
        changed.push(await updateRow(hooked, { ...change, key, where: whereOf(key), ifMatch }));
      }
      return { value: changed.map((row) => keyOf(resource, row)), row: changed };
    },
  );
  const keys = isOther ? await visibleKeys(context, resource, value, meant.visible) : value;
  if (selection === undefined) return { kind: "batch", keys, rows: [] };
  if (isReplay) return answerReplays(context, resource, keys, selection);
  return answerRows(context, resource, row as readonly Row[], selection);
}

export async function runDeleteMany(context: OperationContext, operation: DeleteManyOperation): Promise<BatchOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  requireBulk(context, resource, "delete");
  requireWrites(context, resource);
  const what = `delete these ${resource.plural}`;
  const decision = await decide(context, resource.access.delete, resource);
  refuseNever(context, decision, what);
  requireVersions(context, resource, operation.ifMatch);
  const meant = await meantRows(context, resource, operation);
  const { value, isOther } = await runByRights<Key[]>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const found = await findRows(inner, resource, meant, { most: resource.bulk.delete, decision, what });
      const hooked = { context: inner, operation, resource, events };
      const versions = await checkVersions(inner, resource, found, operation.ifMatch);
      const { whereOf, isGone, isTouched } = createBatchProgress(resource, meant, decision, events);
      const alsoDeleted = new Set(found.map((row) => keyToken(keyOf(resource, row))));
      for (const row of childrenFirst(resource, found)) {
        const key = keyOf(resource, row);
        // The row was deleted by the cascade of an earlier row.
        if (isGone(key)) await deletedRow(hooked, row);
        else {
          const ifMatch = isTouched(key) ? undefined : versions?.get(row);
          await deleteRow(hooked, { key, where: whereOf(key), ifMatch, alsoDeleted, what });
        }
      }
      return { value: found.map((row) => keyOf(resource, row)) };
    },
  );
  // Whether the filter of the read rule matched the rows can't be determined any more.
  return { kind: "batch", keys: isOther && !isAlways(meant.visible) ? [] : value, rows: [] };
}

/** Returns the keys of rows that the caller can see, if a caller with other rights has written them. */
async function visibleKeys(
  context: OperationContext,
  resource: ResourceModel,
  keys: readonly Key[],
  visible: Filter,
): Promise<readonly Key[]> {
  const filter = await storeFilter(context, resource, visible);
  const rows = await context.storeOf(resource.name).byKeys({ resource, keys, filter }, context.deadline);
  const seen = new Set(rows.map((row) => keyToken(keyOf(resource, row))));
  return keys.filter((key) => seen.has(keyToken(key)));
}

/** Rejects a batch without the precondition that the resource requires. */
function requireVersions(context: OperationContext, resource: ResourceModel, ifMatch: Precondition | undefined): void {
  if (lacksPrecondition(resource, { ifMatch }) && !context.system) throw preconditionRequired(resource, true);
}

export function requireBulk(
  context: OperationContext,
  resource: ResourceModel,
  what: "create" | "update" | "delete",
): void {
  if (resource.bulk[what] > 0) return;
  throw new BifocalError("METHOD_NOT_ALLOWED", `Bulk ${what} is not supported for ${resource.plural}.`);
}

/**
 * Returns the rows that the caller can see and that match its condition. Rejects a missing condition, which would select
 * all rows.
 */
async function meantRows(context: OperationContext, resource: ResourceModel, condition: RowCondition): Promise<Meant> {
  const isAll = condition.filter === undefined || isAlways(condition.filter);
  if (isAll && condition.search === undefined) {
    const message = "A filter is required. Without a filter, the request would affect all rows.";
    throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["filter"], message, code: "required" }] });
  }
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  const { filter } = await authorizeCondition(context, resource, condition);
  if (usesRelatedValues(filter)) refuseRelatedValues("Bulk writes");
  return { visible, asked: filter };
}

interface Finding {
  readonly most: number;
  readonly decision: Filter;
  readonly what: string;
}

/**
 * Returns the selected rows in the order of their keys. Throws if there are too many or the caller can't change one of
 * them.
 */
async function findRows(
  context: OperationContext,
  resource: ResourceModel,
  { visible, asked }: Meant,
  { most, decision, what }: Finding,
): Promise<readonly Row[]> {
  const filter = await storeFilter(context, resource, andFilters(visible, asked));
  const query = { resource, filter, sort: totalSort(resource, []), limit: most + 1 };
  const { rows } = await context.storeOf(resource.name).list(query, context.deadline);
  if (rows.length > most) throw tooMany(`More than ${most} ${resource.plural} match. Use a narrower filter.`);
  if (isAlways(decision) || rows.length === 0) return rows;
  const isAllowed = await matchRows(context, resource, rows, decision);
  if (!rows.every(isAllowed)) throw denied(context, what);
  return rows;
}

export function tooMany(message: string): BifocalError {
  return new BifocalError("BAD_REQUEST", message, { issues: [{ path: [], message, code: "too_many" }] });
}
