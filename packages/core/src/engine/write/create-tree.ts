import type { InputForm, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { inputsOf, splitInput } from "../../operation/nested-input.ts";
import { isPlainObject } from "../../operation/refuse.ts";
import type { Json } from "../../util/json.ts";
import { resourceOf } from "../frame.ts";
import { checkInput, invalid } from "./check-input.ts";
import { misplaced } from "./check-tree.ts";
import { createRow } from "./create-row.ts";
import { errorAt } from "./error-at.ts";
import type { Hooked } from "./run-hook.ts";

/**
 * Makes a row with all that its input brings along, within a transaction. Each of them as if it were created on its own, by
 * the rules, hooks and checks of its resource, those that others point at first; what goes wrong says where.
 */
export async function createTree(hooked: Hooked, input: unknown, form: InputForm): Promise<Row> {
  const { frame, resource } = hooked;
  const split = splitInput(resource, input);
  const { own, parts } = split;
  const issues = misplaced(split);
  if (issues.length > 0) throw invalid(issues);
  const given = { ...(own as Record<string, unknown>) };
  for (const { relation, given: inner } of parts) {
    if (relation.kind !== "belongsTo") continue;
    const row = await createPart(hooked, relation, inner, form, [relation.name]);
    given[relation.local] = valueOf(resource, relation.local, row[relation.foreign] ?? null, form);
  }
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  const check = { resource, mode: "create", rule, input: parts.length > 0 ? given : own, form, what } as const;
  const row = await createRow(hooked, await checkInput(frame, check));
  for (const part of parts) {
    const { relation } = part;
    if (relation.kind === "belongsTo") continue;
    const target = resourceOf(frame.engine.model, relation.target);
    const points = valueOf(target, relation.foreign, row[relation.local] ?? null, form);
    for (const [index, inner] of (inputsOf(part) ?? []).entries()) {
      const complete = isPlainObject(inner) ? { ...inner, [relation.foreign]: points } : inner;
      await createPart(hooked, relation, complete, form, relation.many ? [relation.name, index] : [relation.name]);
    }
  }
  return row;
}

async function createPart(
  { frame, events }: Hooked,
  relation: RelationModel,
  input: unknown,
  form: InputForm,
  path: readonly (string | number)[],
): Promise<Row> {
  const resource = resourceOf(frame.engine.model, relation.target);
  const selection = { fields: [], relations: [] };
  const operation = { kind: "create", resource: resource.name, input, form, selection } as const;
  try {
    return await createTree({ frame, operation, resource, events }, input, form);
  } catch (thrown) {
    throw errorAt(thrown, path);
  }
}

/** A key as an input of this form holds it. */
export function valueOf(resource: ResourceModel, field: string, stored: Json, form: InputForm): unknown {
  const codec = form === "value" ? resource.fields.get(field)?.codec : undefined;
  return codec === undefined ? stored : codec.toValue(stored);
}
