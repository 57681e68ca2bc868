import type { ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { denied, isAlways } from "../../access/decide.ts";
import { matchesRow } from "../../read/match-rows.ts";
import type { OperationContext } from "../../operation-context.ts";
import { buildRow } from "./build-row.ts";
import type { CheckedInput } from "../checks/check-input.ts";
import { checkReferences } from "../checks/check-references.ts";
import { checkFilled } from "../checks/check-filled.ts";
import { decideAgain } from "../checks/decide-again.ts";
import { decideFirst } from "./decide-first.ts";
import { beforeWrite, type Hooked, runHook, toItem } from "../run-hook.ts";
import { notedUniqueViolation } from "../checks/unique-violation.ts";

/** Creates one row within a transaction. Nothing is known about its references and its row-dependent rules yet. */
export async function createOnlyRow(hooked: Hooked, checked: CheckedInput): Promise<Row> {
  await decideFirst(hooked.context, [{ resource: hooked.resource, path: [], ...checked }]);
  return createRow(hooked, checked);
}

/**
 * Creates one row of an operation that `decideFirst` allowed: runs hooks, checks the rules for the whole row and its
 * references, and inserts it.
 */
export async function createRow(hooked: Hooked, checked: CheckedInput): Promise<Row> {
  const { context, resource, events } = hooked;
  const row = await prepareRow(hooked, checked);
  const after = await insertRow(context, resource, row);
  events.push({ resource: resource.name, kind: "created", key: keyOf(resource, after), after });
  await runHook(hooked, "create", "after", { item: toItem(resource, after) });
  return after;
}

/** Builds and checks a row before its insert. */
async function prepareRow(hooked: Hooked, checked: CheckedInput): Promise<Row> {
  const { context, resource } = hooked;
  const written = await beforeWrite(hooked, "create", checked.row);
  checkFilled(resource, written);
  const what = `create ${resource.plural}`;
  const decision =
    written === checked.row && checked.isOpen !== true
      ? checked.decision
      : await decideAgain(context, resource, resource.access.create, written, checked, what);
  const row = buildRow(context, resource, written);
  // References must exist at the time of the insert. They are checked first, because a rule on a relation reads the
  // referenced row, and its decision could reveal a hidden row.
  await checkReferences(context, resource, row);
  if (!isAlways(decision) && !(await matchesRow(context, resource, row, decision))) {
    throw denied(context, `create this ${resource.name}`);
  }
  return row;
}

export function insertRow(context: OperationContext, resource: ResourceModel, row: Row): MaybePromise<Row> {
  try {
    const inserted = context.storeOf(resource.name).insert({ resource, rows: [row] }, context.deadline);
    return inserted instanceof Promise ? insertLater(resource, row, inserted) : onlyRow(resource, inserted);
  } catch (thrown) {
    throw notedUniqueViolation(resource, row, thrown);
  }
}

async function insertLater(resource: ResourceModel, row: Row, inserting: Promise<readonly Row[]>): Promise<Row> {
  try {
    return onlyRow(resource, await inserting);
  } catch (thrown) {
    throw notedUniqueViolation(resource, row, thrown);
  }
}

function onlyRow({ name }: ResourceModel, rows: readonly Row[]): Row {
  const row = rows[0];
  if (row === undefined) throw new Error(`The store of '${name}' did not return the row it inserted.`);
  return row;
}
