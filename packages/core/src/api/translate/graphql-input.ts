import { isPlainObject } from "../../errors/refuse.ts";
import type { UnionForm } from "../client-description-types.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";

type Members = Readonly<Record<string, unknown>>;

/** Converts the JSON of a write to its GraphQL input: unions are one-of inputs, and a list of links is `{ set }`. */
export function graphqlInput(
  context: PrintContext,
  { resource, described }: PrintedResource,
  input: unknown,
  isUpdate: boolean,
): unknown {
  if (!isPlainObject(input)) return input;
  const each = (rows: unknown, target: PrintedResource, updates: boolean): unknown =>
    Array.isArray(rows)
      ? rows.map((row) => graphqlInput(context, target, row, updates))
      : graphqlInput(context, target, rows, updates);
  return mapMembers(input, (name, value) => {
    const relation = described.relations[name];
    if (relation === undefined) {
      if (context.ids.isGlobal && resource.fields.get(name)?.identifies === true)
        notExpressible("The ids of this API are global in GraphQL, and those of this input are not.");
      return graphqlValue(described.fields[name]?.input, value);
    }
    if (context.ids.isGlobal)
      notExpressible("The ids of this API are global in GraphQL, and those of this input are not.");
    const target = printedResource(context, relation.to);
    if (!isUpdate) return each(value, target, false);
    if (Array.isArray(value)) return { set: value };
    if (!isPlainObject(value)) return value;
    return mapMembers(value, (change, rows) =>
      change === "create" || change === "update" ? each(rows, target, change === "update") : rows,
    );
  });
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
