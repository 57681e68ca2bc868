import { BifocalError } from "../../errors/bifocal-error.ts";
import type { InputForm, Key, RelationModel, ResourceModel } from "../../model/model.ts";
import type { CreateOperation } from "../../operation/operation.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { notFound, readVisible } from "../run-get.ts";
import { invalid } from "./check-input.ts";
import { valueOf } from "./create-tree.ts";

export type Complete = (input: unknown) => unknown;

/** What gives inputs the field that points at the row within which they are created. */
export async function inputWithin(
  frame: Frame,
  resource: ResourceModel,
  within: CreateOperation["within"],
  form: InputForm,
): Promise<Complete> {
  if (within === undefined) return (input) => input;
  const parent = resourceOf(frame.engine.model, within.resource);
  const relation = parent.relations.get(within.relation) as RelationModel;
  if (relation.through !== undefined || relation.kind === "belongsTo") {
    const message = `Nothing is created inside '${within.relation}'. Create it, then link it.`;
    throw new BifocalError("METHOD_NOT_ALLOWED", message);
  }
  const row = await readVisible(frame, parent, within.key);
  if (row === undefined) throw notFound(parent);
  const { foreign } = relation;
  const points = row[relation.local] as Key;
  const value = valueOf(resource, foreign, points, form);
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const given: unknown = (input as Record<string, unknown>)[foreign];
    if (given === undefined || given === points) return { ...input, [foreign]: value };
    const message = `'${foreign}' says another ${parent.name} than the one it is created in. Leave it out.`;
    throw invalid([{ path: [foreign], message, code: "contradiction" }]);
  };
}
