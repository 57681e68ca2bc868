import { CoerceError, coerceText, coerceWire } from "../model/coerce.ts";
import type { FieldModel } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { Json } from "../util/json.ts";
import { textMistake } from "../model/text-mistake.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";

/**
 * The form of the values in a filter. `text`: from a URL. `wire`: JSON and GraphQL. `value`: values of the application.
 */
export type FilterForm = "text" | "wire" | "value";

const BOOLEAN: WireType = { kind: "boolean", nullable: false };
const STRING: WireType = { kind: "string", nullable: false };

/** Converts one value that a field, or an item of a list field, is compared with to stored form. */
export function lowerOperand(field: FieldModel, raw: unknown, form: FilterForm, path: Path, item = false): Json {
  const type = item && field.type.kind === "list" ? field.type.item : field.type;
  if (form !== "value" || field.codec === undefined) return coerce(type, raw, form, path, field.identifies);
  return coerce(type, encode(field.codec.toStored, raw, path, item), "wire", path);
}

export function lowerFlag(raw: unknown, form: FilterForm, path: Path): boolean {
  return coerce(BOOLEAN, raw, form, path) as boolean;
}

export function lowerFragment(raw: unknown, form: FilterForm, path: Path): string {
  return coerce(STRING, raw, form, path) as string;
}

function coerce(type: WireType, raw: unknown, form: FilterForm, path: Path, identifies = false): Json {
  const name = quote(path.at(-1));
  if (raw === undefined) return refuse(path, "missing_operand", `${name} requires a value.`);
  if (raw === null) return refuse(path, "invalid_operand", `${name} can't be null. Use 'isNull' instead.`);
  if (form === "text" && typeof raw !== "string")
    return refuse(
      path,
      "invalid_operand",
      `${name} must be a single value${Array.isArray(raw) ? ", not a list" : ""}.`,
    );
  try {
    // A GraphQL `ID` is always a string, whatever the type of the key.
    const isText = form === "text" || (form === "wire" && identifies && typeof raw === "string");
    const value = isText ? coerceText(type, raw as string) : coerceWire(type, raw);
    const mistake = textMistake(value);
    return mistake === undefined ? value : refuse(path, "invalid_operand", `${name} ${mistake}.`);
  } catch (thrown) {
    if (!(thrown instanceof CoerceError)) throw thrown;
    return refuse(path, "invalid_operand", `${name}: ${thrown.message}`);
  }
}

/** A codec is application code and may throw for invalid values. The codec of a list field only takes lists. */
function encode(toStored: (value: unknown) => Json, raw: unknown, path: Path, item: boolean): unknown {
  if (raw === undefined || raw === null) return raw;
  try {
    return item ? (toStored([raw]) as readonly Json[])[0] : toStored(raw);
  } catch {
    return refuse(path, "invalid_operand", `${quote(path.at(-1))} has an invalid value.`);
  }
}
