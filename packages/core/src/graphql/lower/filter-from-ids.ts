import type { ResourceModel } from "../../model/model.ts";
import { isPlainObject, type Path, refuse } from "../../errors/refuse.ts";
import { idOwner } from "../ids.ts";
import type { FieldTarget } from "./field-target.ts";

type Values = Readonly<Record<string, unknown>>;

/** Converts global ids in a filter to keys. Returns a malformed filter unchanged; lowering rejects it. */
export function filterFromIds(target: FieldTarget, filter: unknown, path: Path): unknown {
  if (!target.ids.isGlobal || !isPlainObject(filter)) return filter;
  const own = (inner: unknown, at: Path): unknown => filterFromIds(target, inner, at);
  return mapMembers(filter, (name, value) => {
    const at = [...path, name];
    if (name === "not") return own(value, at);
    if (name === "and" || name === "or") {
      return Array.isArray(value) ? value.map((inner, index) => own(inner, [...at, index])) : value;
    }
    const relation = target.resource.relations.get(name);
    const related = relation && target.model.resources.get(relation.target);
    if (relation !== undefined && related !== undefined) {
      const along = { ...target, resource: related };
      if (!relation.many || !isPlainObject(value)) return filterFromIds(along, value, at);
      return mapMembers(value, (quantifier, inner) => filterFromIds(along, inner, [...at, quantifier]));
    }
    const field = target.resource.fields.get(name);
    const owner = field && idOwner(target.model, target.resource, field);
    if (owner === undefined || !isPlainObject(value)) return value;
    return mapMembers(value, (operator, operand) => operandFromIds(target, owner, operand, [...at, operator]));
  });
}

function operandFromIds(target: FieldTarget, owner: ResourceModel, operand: unknown, path: Path): unknown {
  if (Array.isArray(operand)) {
    return operand.map((one, index) => operandFromIds(target, owner, one, [...path, index]));
  }
  if (typeof operand !== "string") return operand;
  return (
    target.ids.parse(owner, operand) ??
    refuse(path, "invalid_id", `The list contains an invalid id of ${owner.typeName}.`)
  );
}

function mapMembers(values: Values, map: (name: string, value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(name, value)]));
}
