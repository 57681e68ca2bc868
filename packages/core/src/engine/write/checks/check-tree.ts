import type { Issue } from "../../../errors/bifocal-error.ts";
import type { PresetFields, InputForm, RelationModel, ResourceModel } from "../../../model/model.ts";
import { checkNesting, splitInput, type SplitInput } from "../../../operation/nested-input.ts";
import { inputsOf } from "../../../operation/nested-part.ts";
import { ALWAYS, andFilters } from "../../../operation/filter.ts";
import type { NewRow } from "../create/decide-first.ts";
import { decideInput, denied, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { decideFields, invalid } from "./check-input.ts";
import { type LinksPlan, planLinks } from "../nested/plan-links.ts";
import { omittedFields, watchFields } from "./watch-fields.ts";
import { errorAt } from "./error-at.ts";

export interface PlacedInput {
  readonly input: unknown;
  readonly path: Issue["path"];
}

/** The result of checking inputs: their mistakes, and the rows and links that they would create. */
export interface Findings {
  readonly issues: Issue[];
  readonly rows: NewRow[];
  readonly links: LinksPlan[];
}

/**
 * Validates inputs with their nested rows and links before anything is written, and returns what they would create.
 * Throws all issues, and rejects rows that the caller can't create. A rule that reads a key which isn't known yet runs
 * later, when the key exists.
 */
export async function checkTrees(
  context: OperationContext,
  resource: ResourceModel,
  inputs: readonly PlacedInput[],
  form: InputForm,
  decided: PresetFields | undefined,
): Promise<Findings> {
  const found: Findings = { issues: [], rows: [], links: [] };
  const { model, limits } = context.engine;
  for (const { input, path } of inputs) {
    checkNesting(model, resource, "create", input, limits.query.selectionDepth, path);
    await checkTree(context, { resource, input, form, path, decided: decided ?? {} }, found);
  }
  if (found.issues.length > 0) throw invalid(found.issues);
  return found;
}

interface Place extends PlacedInput {
  readonly resource: ResourceModel;
  readonly form: InputForm;
  readonly decided: PresetFields;
}

/** Checks one input with its nested rows and links, and adds what it finds. */
export async function checkTree(context: OperationContext, place: Place, found: Findings): Promise<void> {
  const { resource, input, form, path } = place;
  const { rows } = found;
  const split = splitInput(resource, "create", input);
  const decided = { ...place.decided };
  for (const { relation } of split.parts) {
    if (relation.kind === "belongsTo") for (const name of relation.local) decided[name] = undefined;
  }
  const parsed = resource.parse.create(split.own, form, decided);
  const value = parsed.row && (resource.codec?.toValue(parsed.row) ?? parsed.row);
  const unknown = Object.keys(decided).filter((name) => decided[name] === undefined);
  unknown.push(...omittedFields(resource, parsed.row));
  const watched = value && watchFields(value, unknown);
  const decision = await decideInput(context, resource.access.create, resource, watched?.input);
  if (isNever(decision)) {
    if (unknown.length > 0 && watched?.isLookedAt() !== false) return;
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
  for (const issue of [...findMisplaced(split, place.decided), ...(parsed.issues ?? [])]) {
    found.issues.push({ ...issue, path: [...path, ...issue.path] });
  }
  for (const part of split.parts) {
    const { name, kind, foreign, many, target } = part.relation;
    if (kind === "manyToMany") {
      found.links.push(await planLinks(context, part, form, path, found.issues));
      continue;
    }
    const within: PresetFields =
      kind === "belongsTo" ? {} : Object.fromEntries(foreign.map((field) => [field, undefined]));
    for (const [index, inner] of (inputsOf(part) ?? []).entries()) {
      const at = many ? [...path, name, index] : [...path, name];
      const of = resourceOf(context.engine.model, target);
      await checkTree(context, { resource: of, input: inner, form, path: at, decided: within }, found);
    }
  }
}

/** Returns the issues of an input's nested rows as a whole, without looking into them. */
export function findMisplaced({ own, parts }: SplitInput, decided: PresetFields): readonly Issue[] {
  const issues: Issue[] = [];
  for (const part of parts) {
    const { name, creates, kind, local, target, many } = part.relation;
    if (kind === "manyToMany") continue;
    const inputs = inputsOf(part);
    if (inputs === undefined) issues.push({ path: [name], message: `'${name}' must be a list.`, code: "invalid_type" });
    else if (inputs.length > creates) {
      const message = `'${name}' can have at most ${creates} rows here. Create the others in separate requests.`;
      issues.push({ path: [name], message, code: "too_big" });
    }
    if (kind === "belongsTo") {
      const given = local.find((field) => isGiven(own, field) || Object.hasOwn(decided, field));
      if (given === undefined) continue;
      const message = `'${given}' and '${name}' both set the ${target}. Pass only one of them.`;
      issues.push({ path: [name], message, code: "contradiction" });
      continue;
    }
    for (const [index, input] of (inputs ?? []).entries()) {
      issues.push(...findParentFields(input, part.relation, many ? [name, index] : [name]));
    }
  }
  return issues;
}

/** Returns an issue for each field of a nested row's input that references its parent. */
export function findParentFields(input: unknown, { foreign }: RelationModel, path: Issue["path"]): readonly Issue[] {
  return foreign.flatMap((field) => {
    if (!isGiven(input, field)) return [];
    const message = `'${field}' is set by the parent. Leave it out.`;
    return [{ path: [...path, field], message, code: "contradiction" }];
  });
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === "object" && input !== null && (input as Record<string, unknown>)[field] !== undefined;
}
