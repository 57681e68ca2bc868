import type { ResourceModel, Row, RuleModel } from "../model/model.ts";
import type { PermissionsOperation } from "../operation/operation.ts";
import type { PermissionsOutcome } from "../operation/outcome.ts";
import { decide, isAlways, isNever } from "./access/decide.ts";
import type { OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { writesOf } from "../store/writes-of.ts";
import { matchesRow } from "./read/match-rows.ts";
import { readVisible } from "./run-get.ts";
import { notFound } from "../lowering/not-found.ts";

/**
 * Returns what the caller is allowed to do, as far as rules can decide without an input. The rules run again when the
 * caller does it.
 */
export async function runPermissions(
  context: OperationContext,
  operation: PermissionsOperation,
): Promise<PermissionsOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  const { access, actions, visibleFields } = resource;
  const { key } = operation;
  const row = key === undefined ? undefined : await readVisible(context, resource, key);
  if (key !== undefined && row === undefined) throw notFound(resource);
  const writes = writesOf(context.storeOf(resource.name), resource);
  const may = (rule: RuleModel): Promise<boolean> => isAllowed(context, resource, rule, row);

  const unwritable: string[] = [];
  for (const { name, write } of visibleFields) {
    // Without a row, a field counts as writable if its rule allows some rows.
    const canTry = row === undefined ? !isNever(await decide(context, write, resource)) : await may(write);
    if (!canTry) unwritable.push(name);
  }
  const allowed: string[] = [];
  for (const action of actions.values()) {
    // Only a deleted row can be restored, and these aren't found here.
    if (action.run !== "restore" && (action.on === "item") === (row !== undefined) && (await may(action.access)))
      allowed.push(action.name);
  }
  return {
    kind: "permissions",
    create: writes.create && !isNever(await decide(context, access.create, resource)),
    update: writes.update && row !== undefined && (await may(access.update)),
    delete: writes.delete && row !== undefined && (await may(access.delete)),
    actions: allowed,
    unwritable,
    // Read last, after all rules have run.
    personal: context.cacheability.personal,
  };
}

async function isAllowed(
  context: OperationContext,
  resource: ResourceModel,
  rule: RuleModel,
  row: Row | undefined,
): Promise<boolean> {
  const decision = await decide(context, rule, resource);
  if (row === undefined || isAlways(decision) || isNever(decision)) return isAlways(decision);
  return matchesRow(context, resource, row, decision);
}
