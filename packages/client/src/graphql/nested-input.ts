import type { ClientDescription, ClientResource, UnionForm } from "@bifocal/core";
import type { mapValues } from "../map-values.ts";
import type { isPlainObject } from "../plain-object.ts";

/** The functions of the client that inputs need. */
export interface InputFunctions {
  readonly description: ClientDescription;
  readonly mapValues: typeof mapValues;
  readonly isPlainObject: typeof isPlainObject;
}

/** Converts the input of a write: unions are one-of inputs, and a list of links is `{ set }` in an update. */
export function toInput(of: InputFunctions, resource: ClientResource, input: unknown, isUpdate: boolean): unknown {
  if (Array.isArray(input)) return input.map((one) => toInput(of, resource, one, isUpdate));
  if (!of.isPlainObject(input)) return input;
  return of.mapValues(input, (name, value) => {
    const relation = resource.relations[name];
    if (relation === undefined) return toValue(of, resource.fields[name]?.input, value);
    const target = of.description.resources[relation.to] as ClientResource;
    if (!isUpdate) return toInput(of, target, value, false);
    if (Array.isArray(value)) return { set: value };
    return of.mapValues(value as object, (change, rows) =>
      change === "create" || change === "update" ? toInput(of, target, rows, change === "update") : rows,
    );
  });
}

export function toValue(of: InputFunctions, form: UnionForm | undefined, value: unknown): unknown {
  if (form === undefined || value === null || value === undefined) return value;
  if ("each" in form) return Array.isArray(value) ? value.map((one) => toValue(of, form.each, one)) : value;
  if (!of.isPlainObject(value)) return value;
  if ("members" in form) return of.mapValues(value, (name, one) => toValue(of, form.members[name], one));
  const { [form.tag]: tag, ...members } = value;
  const option = form.options[String(tag)];
  return option === undefined ? value : { [option.name]: toValue(of, option.form, members) };
}
