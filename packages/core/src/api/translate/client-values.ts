import { isPlainObject } from "../../errors/refuse.ts";
import { fieldOf } from "../../model/field-of.ts";
import type { InputForm, Key, ResourceModel } from "../../model/model.ts";
import { type Conversion, conversionOf } from "../../model/shape/conversion.ts";
import type { CompareFilter } from "../../operation/filter.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { Code } from "./print-literal.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";

/** Converts JSON to the values of client calls, such as `new Date("2026-01-01")`. */
export function clientValue(form: Conversion | undefined, value: unknown): unknown {
  if (form === undefined || value === null || value === undefined) return value;
  if (form === "date") return new Code(`new Date(${JSON.stringify(value)})`);
  if (form === "bigint") return new Code(`${JSON.stringify(value).replaceAll('"', "")}n`);
  if (form === "codec") return notExpressible("A codec of the application creates a value of this call.");
  if ("each" in form) {
    if (Array.isArray(value)) return value.map((one) => clientValue(form.each, one));
    return isPlainObject(value) ? mapMembers(value, (_, one) => clientValue(form.each, one)) : value;
  }
  return isPlainObject(value) ? mapMembers(value, (name, one) => clientValue(form.members[name], one)) : value;
}

/** Converts the operand of a condition. Items of a list field are compared one by one. */
export function clientOperand({ field, operator, value }: CompareFilter, resource: ResourceModel): unknown {
  const model = fieldOf(resource, field);
  if (operator === "isNull" || model?.codec === undefined) return value;
  const form = conversionOf(model.schema);
  const own = typeof form === "object" && "each" in form ? form.each : form;
  return Array.isArray(value) ? value.map((one) => clientValue(own, one)) : clientValue(own, value);
}

/** Converts a key: the value itself, or an object if the key has several fields. */
export function clientId({ resource, described }: PrintedResource, key: Key): unknown {
  const part = (name: string, value: unknown): unknown => clientValue(described.fields[name]?.form, value);
  if (typeof key !== "object") return part(resource.key[0] ?? "", key);
  return Object.fromEntries(resource.key.map((name, index) => [name, part(name, key[index])]));
}

/** Converts the input of a write, with its related rows. */
export function clientInput(
  context: PrintContext,
  { described }: PrintedResource,
  input: unknown,
  form: InputForm,
): unknown {
  if (form === "value" || !isPlainObject(input)) return input;
  const nested = (to: string, value: unknown): unknown => {
    const target = printedResource(context, to);
    if (Array.isArray(value)) return value.map((one) => clientInput(context, target, one, form));
    if (!isPlainObject(value)) return value;
    const isChange = Object.values(value).every(Array.isArray) && Object.keys(value).length > 0;
    return isChange ? mapMembers(value, (_, rows) => nested(to, rows)) : clientInput(context, target, value, form);
  };
  return mapMembers(input, (name, value) => {
    const relation = described.relations[name];
    return relation === undefined ? clientValue(described.fields[name]?.form, value) : nested(relation.to, value);
  });
}

function mapMembers(
  members: object,
  map: (name: string, value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(name, value)]));
}
