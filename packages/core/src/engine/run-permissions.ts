import type { ResourceModel, Row, RuleModel } from "../model/model.ts";
import type { PermissionsOperation } from "../operation/operation.ts";
import type { PermissionsOutcome } from "../operation/outcome.ts";
import { decide, isAlways, isNever } from "./access/decide.ts";
import { type Frame, resourceOf } from "./frame.ts";
import { writesOf } from "../store/writes-of.ts";
import { matchesRow } from "./read/match-rows.ts";
import { notFound, readVisible } from "./run-get.ts";

/** What the caller may do, as far as rules can tell without an input. Whoever then does it is asked again. */
export async function runPermissions(frame: Frame, operation: PermissionsOperation): Promise<PermissionsOutcome> {
  const resource = resourceOf(frame.engine.model, operation.resource);
  const { access, actions, visibleFields } = resource;
  const { key } = operation;
  const row = key === undefined ? undefined : await readVisible(frame, resource, key);
  if (key !== undefined && row === undefined) throw notFound(resource);
  const writes = writesOf(frame.storeOf(resource.name), resource);
  const may = (rule: RuleModel): Promise<boolean> => isAllowed(frame, resource, rule, row);

  const unwritable: string[] = [];
  for (const { name, write } of visibleFields) {
    // Without a row, what rows decide may be allowed.
    const canTry = row === undefined ? !isNever(await decide(frame, write, resource)) : await may(write);
    if (!canTry) unwritable.push(name);
  }
  const allowed: string[] = [];
  for (const action of actions.values()) {
    if ((action.on === "item") === (row !== undefined) && (await may(action.access))) allowed.push(action.name);
  }
  return {
    kind: "permissions",
    create: writes.create && !isNever(await decide(frame, access.create, resource)),
    update: writes.update && row !== undefined && (await may(access.update)),
    delete: writes.remove && row !== undefined && (await may(access.delete)),
    actions: allowed,
    unwritable,
    // The last, when all has been asked.
    personal: frame.notes.personal,
  };
}

async function isAllowed(
  frame: Frame,
  resource: ResourceModel,
  rule: RuleModel,
  row: Row | undefined,
): Promise<boolean> {
  const decision = await decide(frame, rule, resource);
  if (row === undefined || isAlways(decision) || isNever(decision)) return isAlways(decision);
  return matchesRow(frame, resource, row, decision);
}
