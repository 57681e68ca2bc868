import { isBifocalError, withIssues } from "../../../errors/bifocal-error.ts";
import type { PresetFields, InputForm, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { keyOf } from "../../../operation/key.ts";
import { inputsOf, splitInput } from "../../../operation/nested-input.ts";
import type { Json } from "../../../util/json.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { checkInput, invalid } from "../checks/check-input.ts";
import { createRow } from "./create-row.ts";
import { errorAt } from "../checks/error-at.ts";
import { findMisplaced } from "../checks/check-tree.ts";
import type { Hooked } from "../run-hook.ts";
import { attemptOf, UniqueViolation } from "../checks/unique-violation.ts";

/**
 * Creates a row with its nested rows, and returns it as it is afterwards, because hooks of the nested rows may have
 * changed it.
 */
export async function createWhole(
  hooked: Hooked,
  input: unknown,
  form: InputForm,
  decided?: PresetFields,
): Promise<Row> {
  const { context, resource } = hooked;
  const row = await createTree(hooked, input, form, decided);
  const keys = [keyOf(resource, row)];
  const [now] = await context.storeOf(resource.name).byKeys({ resource, keys }, context.deadline);
  return now ?? row;
}

/**
 * Creates a row and its nested rows within a transaction. Each row passes the rules, hooks and checks of its resource
 * as if it were created alone. Referenced rows come first. Errors contain the path of the row.
 */
async function createTree(hooked: Hooked, input: unknown, form: InputForm, decided: PresetFields = {}): Promise<Row> {
  const { resource } = hooked;
  const split = splitInput(resource, input);
  const issues = findMisplaced(split, decided);
  if (issues.length > 0) throw invalid(issues);
  const known: Record<string, Json | undefined> = { ...decided };
  const made = new Map<string, string>();
  for (const { relation, given } of split.parts) {
    if (relation.kind !== "belongsTo") continue;
    const target = await createPart(hooked, relation, given, form, [relation.name]);
    known[relation.local] = target[relation.foreign] ?? null;
    made.set(relation.local, relation.name);
  }
  const row = await createOwn(hooked, resource, split.own, form, known).catch((thrown: unknown) => {
    throw namedByRelations(thrown, made);
  });
  for (const part of split.parts) {
    const { relation } = part;
    if (relation.kind === "belongsTo") continue;
    const within = { [relation.foreign]: row[relation.local] ?? null };
    for (const [index, inner] of (inputsOf(part) ?? []).entries()) {
      await createPart(hooked, relation, inner, form, relation.many ? [relation.name, index] : [relation.name], within);
    }
  }
  return row;
}

async function createOwn(
  hooked: Hooked,
  resource: ResourceModel,
  input: unknown,
  form: InputForm,
  decided: PresetFields,
): Promise<Row> {
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  return createRow(
    hooked,
    await checkInput(hooked.context, { resource, mode: "create", rule, input, form, decided, what }),
  );
}

async function createPart(
  { context, events }: Hooked,
  relation: RelationModel,
  input: unknown,
  form: InputForm,
  path: readonly (string | number)[],
  decided?: PresetFields,
): Promise<Row> {
  const resource = resourceOf(context.engine.model, relation.target);
  const selection = { fields: [], relations: [] };
  const operation = { kind: "create", resource: resource.name, input, form, selection } as const;
  try {
    return await createTree({ context, operation, resource, events }, input, form, decided);
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
