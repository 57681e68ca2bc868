import type { Issue } from "../../../errors/bifocal-error.ts";
import type { PresetFields, InputForm, ResourceModel } from "../../../model/model.ts";
import { checkNesting, inputsOf, splitInput, type SplitInput } from "../../../operation/nested-input.ts";
import { ALWAYS, andFilters } from "../../../operation/filter.ts";
import type { NewRow } from "../create/decide-first.ts";
import { decideInput, denied, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { decideFields, invalid } from "./check-input.ts";
import { omittedFields, watchFields } from "./watch-fields.ts";
import { errorAt } from "./error-at.ts";

export interface PlacedInput {
  readonly input: unknown;
  readonly path: Issue["path"];
}

/**
 * Validates inputs with their nested rows before anything is written, and returns the new rows. Throws all issues, and
 * rejects rows that the caller can't create. A rule that reads a key which isn't known yet runs later, when the key
 * exists.
 */
export async function checkTrees(
  context: OperationContext,
  resource: ResourceModel,
  inputs: readonly PlacedInput[],
  form: InputForm,
  decided: PresetFields | undefined,
): Promise<readonly NewRow[]> {
  const issues: Issue[] = [];
  const rows: NewRow[] = [];
  const { model, limits } = context.engine;
  for (const { input, path } of inputs) {
    checkNesting(model, resource, input, limits.query.selectionDepth, path);
    issues.push(...(await findIssues(context, { resource, input, form, path, decided: decided ?? {} }, rows)));
  }
  if (issues.length > 0) throw invalid(issues);
  return rows;
}

interface Place extends PlacedInput {
  readonly resource: ResourceModel;
  readonly form: InputForm;
  readonly decided: PresetFields;
}

async function findIssues(context: OperationContext, place: Place, rows: NewRow[]): Promise<readonly Issue[]> {
  const { resource, input, form, path } = place;
  const split = splitInput(resource, input);
  const decided = { ...place.decided };
  for (const { relation } of split.parts) if (relation.kind === "belongsTo") decided[relation.local] = undefined;
  const parsed = resource.parse.create(split.own, form, decided);
  const value = parsed.row && (resource.codec?.toValue(parsed.row) ?? parsed.row);
  const unknown = Object.keys(decided).filter((name) => decided[name] === undefined);
  unknown.push(...omittedFields(resource, parsed.row));
  const watched = value && watchFields(value, unknown);
  const decision = await decideInput(context, resource.access.create, resource, watched?.input);
  if (isNever(decision)) {
    if (unknown.length > 0 && watched?.isLookedAt() !== false) return [];
    const error = denied(context, `create ${resource.plural}`);
    throw path.length === 0 ? error : errorAt(error, path);
  }
  if (parsed.row !== undefined) {
    const given = { resource, input: split.own, decided };
    const byFields = await decideFields(context, given, watched?.input)?.catch((thrown: unknown) => {
      if (unknown.length > 0 && watched?.isLookedAt() !== false) return undefined;
      throw path.length === 0 ? thrown : errorAt(thrown, path);
    });
    rows.push({ resource, row: parsed.row, decision: andFilters(decision, byFields) ?? ALWAYS, unknown, path });
  }
  const found = [...findMisplaced(split, place.decided), ...(parsed.issues ?? [])];
  const issues: Issue[] = found.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  for (const part of split.parts) {
    const { name, kind, foreign, many, target } = part.relation;
    const within: PresetFields = kind === "belongsTo" ? {} : { [foreign]: undefined };
    for (const [index, inner] of (inputsOf(part) ?? []).entries()) {
      const at = many ? [...path, name, index] : [...path, name];
      const of = resourceOf(context.engine.model, target);
      issues.push(
        ...(await findIssues(context, { resource: of, input: inner, form, path: at, decided: within }, rows)),
      );
    }
  }
  return issues;
}

/** Returns the issues of an input's nested parts themselves, without looking into their rows. */
export function findMisplaced({ own, parts }: SplitInput, decided: PresetFields): readonly Issue[] {
  const issues: Issue[] = [];
  for (const part of parts) {
    const { name, creates, kind, local, foreign, target, many } = part.relation;
    const inputs = inputsOf(part);
    if (inputs === undefined) issues.push({ path: [name], message: `'${name}' must be a list.`, code: "invalid_type" });
    else if (inputs.length > creates) {
      const message = `'${name}' can have at most ${creates} rows here. Create the others in separate requests.`;
      issues.push({ path: [name], message, code: "too_big" });
    }
    if (kind === "belongsTo") {
      if (!isGiven(own, local) && !Object.hasOwn(decided, local)) continue;
      const message = `'${local}' and '${name}' both set the ${target}. Pass only one of them.`;
      issues.push({ path: [name], message, code: "contradiction" });
      continue;
    }
    const message = `'${foreign}' is set by the parent. Leave it out.`;
    for (const [index, input] of (inputs ?? []).entries()) {
      const path = many ? [name, index, foreign] : [name, foreign];
      if (isGiven(input, foreign)) issues.push({ path, message, code: "contradiction" });
    }
  }
  return issues;
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === "object" && input !== null && (input as Record<string, unknown>)[field] !== undefined;
}
