import { CoerceError, coerceText, coerceWire } from "../model/coerce.ts";
import type { ComparedModel } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";
import type { Json } from "../util/json.ts";
import { textMistake } from "../model/text-mistake.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";

/** `text`: from a URL. `wire`: from JSON or GraphQL. `value`: from user code. */
export type FilterForm = "text" | "wire" | "value";

const BOOLEAN: WireType = { kind: "boolean", nullable: false };
const STRING: WireType = { kind: "string", nullable: false };

/** Returns a value to compare a field with (or the items of a list field), in stored form. */
export function lowerOperand(field: ComparedModel, raw: unknown, form: FilterForm, path: Path): Json {
  const isItem = field.type.kind === "list";
  const type = field.type.kind === "list" ? field.type.item : field.type;
  if (form !== "value" || field.codec === undefined) return coerce(type, raw, form, path, field.identifies);
  return coerce(type, encode(field.codec.toStored, raw, path, isItem), "wire", path);
}

export function lowerFlag(raw: unknown, form: FilterForm, path: Path): boolean {
  return coerce(BOOLEAN, raw, form, path) as boolean;
}

export function lowerFragment(raw: unknown, form: FilterForm, path: Path): string {
  return coerce(STRING, raw, form, path) as string;
}

function coerce(type: WireType, raw: unknown, form: FilterForm, path: Path, identifies = false): Json {
  const name = nameOf(path);
  if (raw === undefined) return refuse(path, "missing_operand", `${name} requires a value.`);
  if (raw === null) return refuse(path, "invalid_operand", `${name} can't be null. Use 'isNull' instead.`);
  if (form === "text" && typeof raw !== "string")
    return refuse(
      path,
      "invalid_operand",
      `${name} must be a single value${Array.isArray(raw) ? ", not a list" : ""}.`,
    );
  try {
    // A GraphQL `ID` is a string, whatever the type of the key.
    const isText = form === "text" || (form === "wire" && identifies && typeof raw === "string");
    const value = isText ? coerceText(type, raw as string) : coerceWire(type, raw);
    const mistake = textMistake(value);
    return mistake === undefined ? value : refuse(path, "invalid_operand", `${name} ${mistake}.`);
  } catch (thrown) {
    if (!(thrown instanceof CoerceError)) throw thrown;
    return refuse(path, "invalid_operand", `${name}: ${thrown.message}${severalHint(raw, form, path)}`);
  }
}

/** An item of a list has an index instead of a name. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  return typeof last === "number" ? `Value ${last + 1} of ${quote(path.at(-2))}` : quote(last);
}

/** Values in a URL are often separated by commas, which are part of a text here. */
function severalHint(raw: unknown, form: FilterForm, path: Path): string {
  if (form !== "text" || !String(raw).includes(",")) return "";
  return typeof path.at(-1) === "number"
    ? " To pass several values, repeat the parameter."
    : " To match several values, use 'in'.";
}

/** A codec is user code, which may throw for an invalid value. The codec of a list field takes a list. */
function encode(toStored: (value: unknown) => Json, raw: unknown, path: Path, isItem: boolean): unknown {
  if (raw === undefined || raw === null) return raw;
  try {
    return isItem ? (toStored([raw]) as readonly Json[])[0] : toStored(raw);
  } catch {
    return refuse(path, "invalid_operand", `${nameOf(path)} has an invalid value.`);
  }
}
