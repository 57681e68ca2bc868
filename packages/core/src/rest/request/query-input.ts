import { CoerceError, coerceText } from "../../model/coerce.ts";
import type { QueryInputModel } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
import { isPlainObject } from "../../errors/refuse.ts";
import type { ValueForm } from "./lower-list.ts";
import type { QueryTree } from "./parse-query.ts";

/** Returns the names of the parameters of a query. */
export function inputParameters(input: QueryInputModel | undefined): readonly string[] {
  return input?.type.members.map((member) => member.name) ?? [];
}

/** Returns the input of a query from its parameters, in wire form. */
export function readQueryInput(input: QueryInputModel | undefined, tree: QueryTree, form: ValueForm): object {
  const given: Record<string, unknown> = {};
  for (const { name, type } of input?.type.members ?? []) {
    const value = tree[name];
    if (value !== undefined) given[name] = form === "text" ? fromText(type, value) : value;
  }
  return given;
}

/** Converts the text of a URL to JSON. Text that isn't a value of the type stays text, which the schema then rejects. */
function fromText(type: WireType, value: unknown): unknown {
  switch (type.kind) {
    case "list":
      if (isPlainObject(value)) return value;
      return (Array.isArray(value) ? value : [value]).map((one: unknown) => fromText(type.item, one));
    case "object": {
      if (!isPlainObject(value)) return value;
      const members = new Map(type.members.map((member) => [member.name, member.type]));
      const entries = Object.entries(value).map(([name, one]) => {
        const own = members.get(name);
        return [name, own === undefined ? one : fromText(own, one)] as const;
      });
      return Object.fromEntries(entries);
    }
    case "integer":
    case "number":
    case "boolean":
    case "json":
      return typeof value === "string" ? parsed(type, value) : value;
    default:
      return value;
  }
}

function parsed(type: WireType, text: string): unknown {
  try {
    return coerceText(type, text);
  } catch (thrown) {
    if (!(thrown instanceof CoerceError)) throw thrown;
    return text;
  }
}
