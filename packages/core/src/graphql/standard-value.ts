import type { FieldModel } from "../model/model.ts";
import { standardOf } from "../model/shape/standard.ts";
import type { WireType } from "../model/wire-type.ts";
import type { Json } from "../util/json.ts";

const KNOWN = new WeakMap<FieldModel, { readonly value: Json | undefined }>();

/**
 * Returns the default of a field as the default value of its argument. Returns undefined unless all callers can write
 * the field, because a default value counts as written.
 */
export function standardValue(field: FieldModel): Json | undefined {
  let known = KNOWN.get(field);
  if (known === undefined) {
    const isOpen = field.default !== undefined && field.write.kind === "allow" && field.codec === undefined;
    const value = isOpen && !field.identifies ? standardOf(field.schema, {}) : undefined;
    known = { value: isExpressible(field.input) ? value : undefined };
    KNOWN.set(field, known);
  }
  return known.value;
}

/** The default of such a type may be the current time, which differs each time it is computed. */
const OF_CLOCKS: ReadonlySet<string> = new Set(["date", "time", "datetime"]);

export function tellsTime({ kind }: WireType): boolean {
  return OF_CLOCKS.has(kind);
}

/** Whether SDL can express a value of the type, and the value stays valid over time. */
export function isExpressible(type: WireType): boolean {
  if (type.kind === "list") return isExpressible(type.item);
  if (type.kind === "object") return type.members.every((member) => isExpressible(member.type));
  return type.kind !== "json" && !tellsTime(type);
}
