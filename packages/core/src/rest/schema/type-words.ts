import type { WireType } from "../../model/wire-type.ts";

const MAX_VALUES = 8;
const NAMES: Readonly<Record<string, string>> = {
  uuid: "string (uuid)",
  email: "string (email)",
  url: "string (URL)",
  date: "string (date)",
  datetime: "string (date and time)",
  time: "string (time)",
  duration: "string (duration)",
  bigint: "string (integer)",
  decimal: "string (decimal)",
  json: "any JSON",
};

/** Describes the JSON of a value: `string (uuid)`, `"novel" | "essay" | null`, `integer[]`. */
export function typeWords(type: WireType): string {
  const words = bareWords(type);
  return type.nullable && type.kind !== "json" ? `${words} | null` : words;
}

function bareWords(type: WireType): string {
  switch (type.kind) {
    case "enum":
      return valueWords(type.values);
    case "list": {
      const item = typeWords(type.item);
      return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case "object": {
      const members = type.members.map(
        ({ name, type: member, optional }) => `${name}${optional ? "?" : ""}: ${typeWords(member)}`,
      );
      return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
    }
    case "string":
      return type.format === undefined ? "string" : `string (${type.format})`;
    default:
      return NAMES[type.kind] ?? type.kind;
  }
}

function valueWords(values: readonly string[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MAX_VALUES ? [`${values.length - MAX_VALUES} more`] : [])].join(" | ");
}
