import { isPlainObject } from "../../errors/refuse.ts";
import { idOwner } from "../../graphql/ids.ts";
import type { ResourceModel } from "../../model/model.ts";
import { lowerInputKey } from "../../operation/key.ts";
import type { UnionForm } from "../client-description-types.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Converts the JSON of a write to its GraphQL input: keys are ids, unions are one-of inputs, and a list of links is
 * `{ set }`.
 */
export function graphqlInput(
  context: PrintContext,
  { resource, described }: PrintedResource,
  input: unknown,
  isUpdate: boolean,
): unknown {
  if (!isPlainObject(input)) return input;
  return mapMembers(input, (name, value) => {
    const relation = described.relations[name];
    if (relation !== undefined) return relatedInput(context, resource, name, value, isUpdate);
    const field = resource.fields.get(name);
    const owner = context.ids.isGlobal && field !== undefined ? idOwner(context.model, resource, field) : undefined;
    return owner === undefined ? graphqlValue(described.fields[name]?.input, value) : idOf(context, owner, value);
  });
}

/** Converts the rows or links of a relation. */
function relatedInput(
  context: PrintContext,
  { relations }: ResourceModel,
  name: string,
  value: unknown,
  isUpdate: boolean,
): unknown {
  const { kind, target: to } = relations.get(name) ?? {};
  const target = printedResource(context, to ?? "");
  const ids = (given: unknown): unknown => each(given, (id) => idOf(context, target.resource, id));
  const rows = (given: unknown): unknown => each(given, (row) => graphqlInput(context, target, row, false));
  if (kind === "manyToMany") {
    if (Array.isArray(value)) return isUpdate ? { set: ids(value) } : ids(value);
    return isPlainObject(value) ? mapMembers(value, (_, list) => ids(list)) : value;
  }
  if (!isUpdate) return rows(value);
  if (!isPlainObject(value)) return value;
  return mapMembers(value, (change, list) => {
    if (change === "create") return rows(list);
    if (change === "delete") return ids(list);
    return each(list, (row) => childUpdate(context, target, row));
  });
}

function childUpdate(context: PrintContext, target: PrintedResource, row: unknown): unknown {
  if (!isPlainObject(row)) return row;
  const { id, ...input } = row;
  return { id: idOf(context, target.resource, id), ...(graphqlInput(context, target, input, true) as Members) };
}

function each(given: unknown, convert: (one: unknown) => unknown): unknown {
  return Array.isArray(given) ? given.map(convert) : isPlainObject(given) ? convert(given) : given;
}

/** Converts the JSON of a key to an id. */
function idOf({ ids }: PrintContext, resource: ResourceModel, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const key = lowerInputKey(resource, value, "wire");
  const id = key === undefined ? undefined : ids.format(resource, key);
  if (id !== undefined && ids.parse(resource, id) !== undefined) return id;
  return notExpressible(`GraphQL has no id for ${JSON.stringify(value)}, because no '${resource.name}' can have it.`);
}

/** Converts a value: the discriminator of a union becomes the name of a member. */
export function graphqlValue(form: UnionForm | undefined, value: unknown): unknown {
  if (form === undefined || value === null || value === undefined) return value;
  if ("each" in form) return Array.isArray(value) ? value.map((one) => graphqlValue(form.each, one)) : value;
  if (!isPlainObject(value)) return value;
  if ("members" in form) return mapMembers(value, (name, one) => graphqlValue(form.members[name], one));
  const { [form.tag]: tag, ...members } = value;
  const option = form.options[String(tag)];
  return option === undefined ? value : { [option.name]: graphqlValue(option.form, members) };
}

function mapMembers(members: Members, map: (name: string, value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(name, value)]));
}
