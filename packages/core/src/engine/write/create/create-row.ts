import type { ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { type MaybePromise, thenNow } from "../../../util/maybe-promise.ts";
import { denied, isAlways } from "../../access/decide.ts";
import { matchesRow } from "../../read/match-rows.ts";
import type { Frame } from "../../frame.ts";
import { buildRow } from "./build-row.ts";
import type { CheckedInput } from "../checks/check-input.ts";
import { checkReferences } from "../checks/check-references.ts";
import { beforeWrite, type Hooked, runHook, toItem } from "../run-hook.ts";
import { noteUniqueViolation } from "../checks/unique-violation.ts";

/** Makes one row within a transaction: hooks, rules about the whole row, references, and the insert. */
export async function createRow(hooked: Hooked, checked: CheckedInput): Promise<Row> {
  const { frame, resource, events } = hooked;
  const row = await prepareRow(hooked, checked);
  const after = await insertRow(frame, resource, row);
  events.push({ resource: resource.name, kind: "created", key: keyOf(resource, after), after });
  await runHook(hooked, "create", "after", { item: toItem(resource, after) });
  return after;
}

/** A row that may be inserted. */
export async function prepareRow(hooked: Hooked, { row: written, decision }: CheckedInput): Promise<Row> {
  const { frame, resource } = hooked;
  const row = buildRow(resource, await beforeWrite(hooked, "create", written));
  // What the row points at must still be there when it is. First, because a rule along a relation looks at that row, and
  // its answer would tell of one that the caller may not see.
  await checkReferences(frame, resource, row);
  if (!isAlways(decision) && !(await matchesRow(frame, resource, row, decision))) {
    throw denied(frame, `create this ${resource.name}`);
  }
  return row;
}

export function insertRow(frame: Frame, resource: ResourceModel, row: Row): MaybePromise<Row> {
  const insert = (): MaybePromise<readonly Row[]> =>
    frame.storeOf(resource.name).insert({ resource, rows: [row] }, frame.context);
  return thenNow(noteUniqueViolation(resource, row, insert), ([inserted]) => {
    if (inserted === undefined) throw new Error(`The store of '${resource.name}' did not return the row it inserted.`);
    return inserted;
  });
}
