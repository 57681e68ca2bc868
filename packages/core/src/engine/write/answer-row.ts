import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { BatchOutcome, ItemOutcome, NothingOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { decide, isAlways, isNever } from "../access/decide.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { matchesRow, matchRows } from "../read/match-rows.ts";
import { knownPlan, planSelection, type SelectionPlan } from "../read/plan-selection.ts";
import type { Level } from "../read/level.ts";
import { readLevel } from "../read/read-level.ts";
import { itemOutcome } from "../run-get.ts";
import type { Operation } from "../../operation/operation.ts";
import { refuseNamed } from "../access/refuse-named.ts";
import { checkLists } from "../read/read-page.ts";

/**
 * Returns the outcome for a row that was just written, as its writer may see it; `nothing` if the row is hidden from
 * the writer.
 */
export function answerRow(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  selection: Selection,
  created = false,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const plan = resource.access.read.kind === "allow" ? knownPlan(resource, selection) : undefined;
  if (plan === undefined) return answerLater(context, resource, row, selection, created);
  const level = readLevel(context, plan, [row]);
  if (level instanceof Promise) return answerLevel(context, plan, keyOf(resource, row), level, created);
  return itemOutcome(context, plan, keyOf(resource, row), level, { created });
}

async function answerLevel(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  reading: Promise<Level>,
  created: boolean,
): Promise<ItemOutcome> {
  return itemOutcome(context, plan, key, await reading, { created });
}

async function answerLater(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  selection: Selection,
  created: boolean,
): Promise<ItemOutcome | NothingOutcome> {
  const key: Key = keyOf(resource, row);
  const visible = await decide(context, resource.access.read, resource);
  const nothing = { kind: "nothing", key, created } as const;
  if (!isAlways(visible) && !(await matchesRow(context, resource, row, visible))) return nothing;
  const plan = knownPlan(resource, selection) ?? (await planSelection(context, resource, selection));
  return itemOutcome(context, plan, key, await readLevel(context, plan, [row]), { created });
}

/** Returns the outcome for rows that were just written, with `null` for those hidden from the writer. */
export async function answerRows(
  context: OperationContext,
  resource: ResourceModel,
  rows: readonly Row[],
  selection: Selection,
): Promise<BatchOutcome> {
  const keys = rows.map((row) => keyOf(resource, row));
  const visible = await decide(context, resource.access.read, resource);
  if (isNever(visible)) return { kind: "batch", keys, rows: rows.map(() => null) };
  const isVisible = isAlways(visible) ? () => true : await matchRows(context, resource, rows, visible);
  const plan = knownPlan(resource, selection) ?? (await planSelection(context, resource, selection));
  const level = await readLevel(context, plan, rows);
  const readable = rows.map((row, index) => (isVisible(row) ? level.rowAt(index) : null));
  return { kind: "batch", keys, rows: readable, written: rows };
}

/**
 * Rejects a write before anything is written if its response would be an error: FORBIDDEN if the caller named a path
 * that it can't read, BAD_REQUEST for a cursor of another list. A selection without relations or named paths can't
 * fail.
 */
export function checkAnswer(context: OperationContext, operation: Operation): MaybePromise<void> {
  if (!("selection" in operation) || operation.selection === undefined) return undefined;
  const { selection } = operation;
  const named = "named" in operation ? operation.named : undefined;
  if (selection.relations.length === 0 && named === undefined) return undefined;
  return planSelection(context, resourceOf(context.engine.model, operation.resource), selection).then((plan) => {
    refuseNamed(named, plan.denied);
    checkLists(context, plan);
  });
}
