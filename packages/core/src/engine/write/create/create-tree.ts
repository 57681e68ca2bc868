import { isBifocalError, withIssues } from "../../../errors/bifocal-error.ts";
import type { PresetFields, InputForm, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import { inputsOf } from "../../../operation/nested-part.ts";
import type { Json } from "../../../util/json.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { checkInput, invalid } from "../checks/check-input.ts";
import { createRow } from "./create-row.ts";
import { errorAt } from "../checks/error-at.ts";
import { findMisplaced } from "../checks/check-tree.ts";
import { applyLinks } from "../nested/apply-links.ts";
import { type LinkTargets, planLinks } from "../nested/plan-links.ts";
import type { Hooked } from "../run-hook.ts";
import { attemptOf, UniqueViolation } from "../checks/unique-violation.ts";

/** A write of several rows: their form, and the rows to link, which were read before. */
export interface TreeWrite extends Hooked {
  readonly form: InputForm;
  readonly targets: LinkTargets;
}

/**
 * Creates a row with its nested rows, and returns it as it is afterwards, because hooks of the nested rows may have
 * changed it.
 */
export async function createWhole(tree: TreeWrite, input: unknown, decided?: PresetFields): Promise<Row> {
  const { context, resource } = tree;
  const row = await createTree(tree, input, decided);
  const keys = [keyOf(resource, row)];
  const [now] = await context.storeOf(resource.name).byKeys({ resource, keys }, context.deadline);
  return now ?? row;
}

/**
 * Creates a row, its nested rows and its links within a transaction. Each row passes the rules, hooks and checks of its
 * resource as if it were created alone. Referenced rows come first. Errors contain the path of the row.
 */
async function createTree(tree: TreeWrite, input: unknown, decided: PresetFields = {}): Promise<Row> {
  const { resource } = tree;
  const split = splitInput(resource, "create", input);
  const issues = findMisplaced(split, decided);
  if (issues.length > 0) throw invalid(issues);
  const known: Record<string, Json | undefined> = { ...decided };
  const made = new Map<string, string>();
  for (const { relation, given } of split.parts) {
    if (relation.kind !== "belongsTo") continue;
    const target = await createPart(tree, relation, given, [relation.name]);
    for (const [index, name] of relation.local.entries()) {
      known[name] = target[relation.foreign[index] as string] ?? null;
      made.set(name, relation.name);
    }
  }
  const row = await createOwn(tree, resource, split.own, known).catch((thrown: unknown) => {
    throw namedByRelations(thrown, made);
  });
  for (const part of split.parts) {
    const { relation } = part;
    if (relation.kind === "belongsTo") continue;
    if (relation.kind === "manyToMany") {
      const links = await planLinks(tree.context, part, tree.form, [], []);
      await applyLinks(tree, links, row, tree.targets);
      continue;
    }
    const within = Object.fromEntries(
      relation.foreign.map((name, index) => [name, row[relation.local[index] as string] ?? null]),
    );
    for (const [index, inner] of (inputsOf(part) ?? []).entries()) {
      await createPart(tree, relation, inner, relation.many ? [relation.name, index] : [relation.name], within);
    }
  }
  return row;
}

async function createOwn(
  tree: TreeWrite,
  resource: ResourceModel,
  input: unknown,
  decided: PresetFields,
): Promise<Row> {
  const { form } = tree;
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  return createRow(
    tree,
    await checkInput(tree.context, { resource, mode: "create", rule, input, form, decided, what }),
  );
}

/** Creates a row along a relation, with its nested rows. `path` is that of its input. */
export async function createPart(
  tree: TreeWrite,
  relation: RelationModel,
  input: unknown,
  path: readonly (string | number)[],
  decided?: PresetFields,
): Promise<Row> {
  const { context, form } = tree;
  const resource = resourceOf(context.engine.model, relation.target);
  const selection = { fields: [], relations: [] };
  const operation = { kind: "create", resource: resource.name, input, form, selection } as const;
  try {
    return await createTree({ ...tree, operation, resource }, input, decided);
  } catch (thrown) {
    throw errorAt(thrown, path);
  }
}

/** Reports issues of a foreign key that comes from a nested row under the name of its relation. */
function namedByRelations(thrown: unknown, made: ReadonlyMap<string, string>): unknown {
  if (made.size === 0) return thrown;
  if (thrown instanceof UniqueViolation && thrown.path.length === 0)
    return new UniqueViolation(thrown.fields, { ...attemptOf(thrown), made });
  if (!isBifocalError(thrown)) return thrown;
  const issues = thrown.issues.map((issue) => {
    const [field, ...rest] = issue.path;
    const relation = made.get(String(field));
    return relation === undefined ? issue : { ...issue, path: [relation, ...rest] };
  });
  return withIssues(thrown, issues);
}
