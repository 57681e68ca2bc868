import type { Issue } from "../../errors/bifocal-error.ts";
import type { InputForm, ResourceModel } from "../../model/model.ts";
import { checkNesting, inputsOf, type NestedPart, type SplitInput, splitInput } from "../../operation/nested-input.ts";
import { decideInput, isNever } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { invalid } from "./check-input.ts";

type Path = Issue["path"];

/**
 * Says all that is wrong with inputs and with what they bring along, before anything is written. Of what the caller may not
 * create at all nothing is said here: its own rule refuses it when its turn comes.
 */
export async function checkTrees(
  frame: Frame,
  resource: ResourceModel,
  inputs: readonly unknown[],
  form: InputForm,
  pathOf: (index: number) => Path,
): Promise<void> {
  const issues: Issue[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = pathOf(index);
    checkNesting(frame.engine.model, resource, input, frame.engine.limits.selectionDepth, path);
    issues.push(...(await findIssues(frame, { resource, input, form, path, known: undefined })));
  }
  if (issues.length > 0) throw invalid(issues);
}

interface Place {
  readonly resource: ResourceModel;
  readonly input: unknown;
  readonly form: InputForm;
  readonly path: Path;
  /** The field that what it is created in will give it. */
  readonly known: string | undefined;
}

async function findIssues(frame: Frame, { resource, input, form, path, known }: Place): Promise<readonly Issue[]> {
  const split = splitInput(resource, input);
  const parsed = resource.parse.create(split.own, form);
  const value = parsed.row && (resource.codec?.toValue(parsed.row) ?? parsed.row);
  if (isNever(await decideInput(frame, resource.access.create, resource, value))) return [];
  const issues = [...misplaced(split, known)];
  const made = new Set(split.parts.flatMap(({ relation }) => (relation.kind === "belongsTo" ? [relation.local] : [])));
  if (known !== undefined) made.add(known);
  for (const issue of parsed.issues ?? []) {
    const [field] = issue.path;
    // What it will point at is not there yet.
    const isToCome = issue.code === "required" && typeof field === "string" && made.has(field);
    if (!isToCome) issues.push(issue);
  }
  for (const part of split.parts) issues.push(...(await findWithin(frame, part, form)));
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

async function findWithin(frame: Frame, part: NestedPart, form: InputForm): Promise<readonly Issue[]> {
  const { name, target, kind, foreign, many } = part.relation;
  const resource = resourceOf(frame.engine.model, target);
  const known = kind === "belongsTo" ? undefined : foreign;
  const issues: Issue[] = [];
  for (const [index, input] of (inputsOf(part) ?? []).entries()) {
    const path = many ? [name, index] : [name];
    issues.push(...(await findIssues(frame, { resource, input, form, path, known })));
  }
  return issues;
}

/** What is wrong with the parts themselves, whatever rows they make. */
export function misplaced({ own, parts }: SplitInput, known?: string): readonly Issue[] {
  const issues: Issue[] = [];
  const said = new Set(known === undefined ? [] : [known]);
  for (const part of parts) {
    const { name, creates, kind, local, foreign, target, many } = part.relation;
    const inputs = inputsOf(part) ?? [];
    if (many && !Array.isArray(part.given)) {
      issues.push({ path: [name], message: `'${name}' is a list.`, code: "invalid_type" });
    }
    if (inputs.length > creates) {
      const message = `'${name}' may have ${creates} rows here. Create the others by requests of their own.`;
      issues.push({ path: [name], message, code: "too_big" });
    }
    if (kind !== "belongsTo") {
      const message = `'${foreign}' is decided by what it is created in. Leave it out.`;
      for (const [index, input] of inputs.entries()) {
        const path = many ? [name, index, foreign] : [name, foreign];
        if (isGiven(input, foreign)) issues.push({ path, message, code: "contradiction" });
      }
      continue;
    }
    if (said.has(local) || isGiven(own, local)) {
      const message = `'${local}' and '${name}' both say which ${target}. Give one of them.`;
      issues.push({ path: [name], message, code: "contradiction" });
    }
    said.add(local);
  }
  return issues;
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === "object" && input !== null && (input as Record<string, unknown>)[field] !== undefined;
}
