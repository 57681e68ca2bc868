import type { Row } from "../../model/model.ts";
import { andFilters, type Filter } from "../../operation/filter.ts";
import { keyOf } from "../../operation/key.ts";
import type { ReplaceOperation, UpdateOperation } from "../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../operation/outcome.ts";
import type { UpdateCommand, WriteResult } from "../../store/store.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import { decide, isAlways, refuseNever } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { isRelated, storeFilter } from "../read/rewrite-related.ts";
import { matchesRow } from "../read/match-rows.ts";
import { answerRow } from "./answer-row.ts";
import { regenerate } from "./build-row.ts";
import { checkInput } from "./check-input.ts";
import { checkReferences } from "./check-references.ts";
import { checkRename, isRename } from "./check-rename.ts";
import { refusalOf } from "./refuse-write.ts";
import { transact } from "./transact.ts";

/** `update` writes what is given, `replace` every writable field; one statement checks and writes. */
export async function runUpdate(
  frame: Frame,
  operation: UpdateOperation | ReplaceOperation,
): Promise<ItemOutcome | NothingOutcome> {
  const { kind, key, ifMatch, input, form } = operation;
  const resource = resourceOf(frame.engine.model, operation.resource);
  const what = `${kind} this ${resource.name}`;
  const rule = resource.access.update;
  const checked = await checkInput(frame, { resource, mode: kind, rule, input, form, what });
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  const set = Object.keys(checked.row).length === 0 ? {} : { ...checked.row, ...regenerate(resource) };
  const where = andFilters(visible, checked.decision);
  const after = await transact(frame, resource.name, async (inner, events) => {
    await checkReferences(inner, resource, checked.row);
    if (isRename(resource, key, set)) await checkRename(inner, resource, key);
    const result = await write(inner, { resource, key, set, where, check: checked.decision, ifMatch });
    if (result.kind !== "done") throw await refusalOf(inner, resource, key, result.kind, what);
    const { before, after: row } = result;
    if (hasChanged(before, row))
      events.push({ resource: resource.name, kind: "updated", key: keyOf(resource, row), before, after: row });
    return row;
  });
  return answerRow(frame, resource, after, operation.selection);
}

/** A write that wrote what was there already is no news. */
function hasChanged(before: Row, after: Row): boolean {
  return Object.keys(after).some((name) => {
    const [was, is] = [before[name], after[name]];
    return was !== is && (typeof is !== "object" || canonicalJson(was) !== canonicalJson(is));
  });
}

/** A `check` along relations is one that no store has to understand: the row that comes out is checked by the engine. */
async function write(frame: Frame, command: UpdateCommand & { readonly check: Filter }): Promise<WriteResult> {
  const { resource, check } = command;
  const where = await storeFilter(frame, resource, command.where);
  const store = frame.storeOf(resource.name);
  if (!isRelated(check)) {
    const own = isAlways(check) ? undefined : check;
    return store.update({ ...command, where, check: own }, frame.context);
  }
  const result = await store.update({ ...command, where, check: undefined }, frame.context);
  if (result.kind !== "done" || (await matchesRow(frame, resource, result.after, check))) return result;
  // Thrown, or answered as a refusal, inside the transaction: the write is undone with it.
  return { kind: "refused" };
}
