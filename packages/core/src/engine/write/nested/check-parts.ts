import { isBifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { InputForm, RelationModel, ResourceModel } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import type { Filter } from "../../../operation/filter.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import type { NestedPart } from "../../../operation/nested-part.ts";
import type { Idempotency, UpdateOperation } from "../../../operation/operation.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { type CheckedInput, checkInput, invalid, requireWrites } from "../checks/check-input.ts";
import { checkTree, findParentFields, type Findings } from "../checks/check-tree.ts";
import { errorAt } from "../checks/error-at.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { unwritableFields, withoutUnchanged } from "../update/without-unchanged.ts";
import type { NamedKey } from "./named-keys.ts";
import { planLinks, type LinksPlan } from "./plan-links.ts";
import { type NamedChange, readNamedChildren } from "./read-children.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";

type Path = Issue["path"];

/** The valid and allowed changes of a part of an input. */
export type PartPlan = LinksPlan | ChildrenPlan;

export interface ChildrenPlan {
  readonly kind: "children";
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly path: Path;
  readonly create: readonly unknown[];
  readonly update: readonly ChildUpdate[];
  readonly delete: readonly NamedKey[];
  /** The rows that the caller can see. */
  readonly visible: Filter;
  /** The rows that the caller can delete. */
  readonly deletable: Filter;
}

export interface ChildUpdate extends NamedKey {
  readonly operation: UpdateOperation;
  readonly checked: CheckedInput;
  readonly parts: readonly PartPlan[];
}

interface Asked {
  readonly form: InputForm;
  readonly idempotency: Idempotency | undefined;
}

/**
 * Checks the parts of an update before anything is written. Collects all issues; throws if the caller can't make one of
 * the changes.
 */
export async function checkParts(
  context: OperationContext,
  parts: readonly NestedPart[],
  asked: Asked,
  path: Path,
  found: Findings,
): Promise<readonly PartPlan[]> {
  const plans: PartPlan[] = [];
  for (const part of parts) {
    if (part.relation.kind !== "manyToMany") plans.push(await checkChildren(context, part, asked, path, found));
    else {
      const links = await planLinks(context, part, asked.form, path, found.issues);
      found.links.push(links);
      plans.push(links);
    }
  }
  return plans;
}

async function checkChildren(
  context: OperationContext,
  part: NestedPart,
  asked: Asked,
  path: Path,
  found: Findings,
): Promise<ChildrenPlan> {
  const { relation } = part;
  const { name } = relation;
  const target = resourceOf(context.engine.model, relation.target);
  const named = readNamedChildren(part, target, asked.form);
  found.issues.push(...named.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
  const at = [...path, name];
  if (named.update.length + named.delete.length > 0) {
    await collectIssues(found, at, async () => refuseUnreadable(context, relation));
  }
  const deletable = await decide(context, target.access.delete, target);
  if (named.delete.length > 0) {
    await collectIssues(found, [...at, "delete"], () => {
      requireWrites(context, target);
      refuseNever(context, deletable, `delete this ${target.name}`);
    });
  }
  const update: ChildUpdate[] = [];
  for (const one of named.update) {
    const own = [...path, ...one.path.slice(0, -1)];
    const change = await collectIssues(found, own, async () => checkChange(context, relation, target, one, asked));
    if (change === undefined) continue;
    const inner = await checkParts(context, change.parts, asked, own, found);
    const { operation, checked } = change;
    update.push({ key: one.key, path: [...path, ...one.path], operation, checked, parts: inner });
  }
  for (const [index, input] of named.create.entries()) {
    const decided = Object.fromEntries(relation.foreign.map((field) => [field, undefined]));
    const own = [...at, "create", index];
    found.issues.push(...findParentFields(input, relation, own));
    await checkTree(context, { resource: target, input, form: asked.form, path: own, decided }, found);
  }
  const visible = await decide(context, target.access.read, target);
  const deleted = named.delete.map(({ key, path: own }) => ({ key, path: [...path, ...own] }));
  const { create } = named;
  return { kind: "children", relation, target, path: at, create, update, delete: deleted, visible, deletable };
}

/** Runs a check, and collects the issues of an invalid input. Other errors are thrown with the path. */
export async function collectIssues<T>(
  { issues }: Pick<Findings, "issues">,
  path: Path,
  check: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await check();
  } catch (thrown) {
    const error = path.length === 0 ? thrown : errorAt(thrown, path);
    if (!isBifocalError(error) || error.code !== "VALIDATION_FAILED") throw error;
    issues.push(...error.issues);
    return undefined;
  }
}

interface CheckedChange {
  readonly operation: UpdateOperation;
  readonly checked: CheckedInput;
  readonly parts: readonly NestedPart[];
}

async function checkChange(
  context: OperationContext,
  relation: RelationModel,
  target: ResourceModel,
  { key, input, ifMatch }: NamedChange,
  { form, idempotency }: Asked,
): Promise<CheckedChange> {
  const what = `update this ${target.name}`;
  const { own, parts } = splitInput(target, "update", input);
  const misplaced = findParentFields(own, relation, []);
  if (misplaced.length > 0) throw invalid(misplaced);
  const given: UpdateOperation = {
    kind: "update",
    resource: target.name,
    key,
    input: own,
    form,
    selection: { fields: [], relations: [] },
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
  const unwritable = unwritableFields(target, given);
  const change = unwritable.length === 0 ? given : await withoutUnchanged(context, target, given, unwritable);
  const { idempotency: _shared, ...operation } = change as UpdateOperation;
  const rule = target.access.update;
  const check = { resource: target, mode: "update", rule, input: operation.input, form, what } as const;
  const checked = await checkInput(context, check);
  requirePrecondition(context, target, { ifMatch });
  return { operation, checked, parts };
}
