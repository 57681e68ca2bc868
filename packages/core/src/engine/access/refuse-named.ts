import { BifocalError } from "../../errors/bifocal-error.ts";
import type { GetOperation } from "../../operation/operation.ts";
import type { OperationContext } from "../operation-context.ts";
import type { Level } from "../read/level.ts";
import type { SelectionPlan } from "../read/plan-selection.ts";
import { denied } from "./decide.ts";

/** Throws FORBIDDEN if the request names a path that its caller can't read. Hidden paths that it doesn't name are omitted. */
export function refuseNamed(named: readonly string[] | undefined, denied: readonly string[]): void {
  const refusal = refusalOf(named, denied);
  if (refusal !== undefined) throw refusal;
}

/** The error for the first denied path that the request names, or that one of its paths leads through. */
export function refusalOf(named: readonly string[] | undefined, denied: readonly string[]): BifocalError | undefined {
  if (named === undefined) return undefined;
  const found = denied.find((path) => named.some((name) => name === path || name.startsWith(`${path}.`)));
  if (found === undefined) return undefined;
  const message = `You are not allowed to read '${found}'.`;
  const issues = [{ path: ["fields", found], message, code: "not_readable" }];
  return new BifocalError("FORBIDDEN", message, { issues });
}

/**
 * Rejects a get if the caller can't read a requested field or relation. If the row itself is hidden, the get has
 * already failed with NOT_FOUND.
 */
export function refuseGet(context: OperationContext, operation: GetOperation, plan: SelectionPlan, level: Level): void {
  const { toChange, relation, named } = operation;
  if (toChange !== undefined) refuseParts(context, plan, toChange, level);
  if (relation === undefined) refuseNamed(named, plan.denied);
  else refuseRelation(context, operation, relation, plan, level);
}

/** A partial change keeps the rest of a value, so the caller must be able to read it. */
function refuseParts(
  context: OperationContext,
  { resource, fields }: SelectionPlan,
  names: readonly string[],
  level: Level,
): void {
  const [row] = level.rows;
  const isShown = (name: string): boolean => row !== undefined && fields.includes(name) && !level.hides(row, name);
  const hidden = resource.ruledFields.find(({ name }) => names.includes(name) && !isShown(name));
  if (hidden !== undefined) throw denied(context, `update part of '${hidden.name}', which you can't read`);
}

/** Without a related row, no field of it can be denied. */
function refuseRelation(
  context: OperationContext,
  { selection, named }: GetOperation,
  name: string,
  { relations }: SelectionPlan,
  level: Level,
): void {
  const as = selection.relations.find(({ relation }) => relation === name)?.as ?? name;
  const related = level.rowAt(0).related(as);
  if (related === undefined) throw denied(context, `read ${name}`);
  if (related !== null) refuseNamed(named, relations.find((relation) => relation.as === as)?.plan.denied ?? []);
}
