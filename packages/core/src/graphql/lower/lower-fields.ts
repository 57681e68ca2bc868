import { BifocalError } from "../../errors/bifocal-error.ts";
import { isPlainObject, type Path } from "../../errors/refuse.ts";
import type { FieldModel, ResourceModel } from "../../model/model.ts";
import { idValue } from "../../operation/key.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Json } from "../../util/json.ts";
import { idOwner } from "../ids.ts";
import { standardValue } from "../standard-value.ts";
import { fromUnions, hasUnion } from "../unions.ts";
import type { FieldTarget } from "./field-target.ts";

/**
 * Converts the fields of an input to the form of the resource's schema: ids become keys, and one-of inputs become unions
 * with discriminators.
 */
export function lowerFields(target: FieldTarget, input: unknown, path: Path): unknown {
  return mapFields(fieldsOf(target.resource).translated, input, (field, value) =>
    field.identifies ? keyFromId(target, field, value, [...path, field.name]) : fromUnions(field.input, value),
  );
}

/** Does the same for a new row, and leaves out values that equal their default, because GraphQL adds defaults. */
export function lowerNewFields(target: FieldTarget, input: unknown, path: Path): unknown {
  return mapFields(fieldsOf(target.resource).standard, lowerFields(target, input, path), (field, value) =>
    equalJson(standardValue(field) as Json, value as Json) ? undefined : value,
  );
}

/** Converts the id of a related row to JSON. A malformed id becomes null, which no row has. */
export function lowerRowId({ ids }: FieldTarget, owner: ResourceModel, id: unknown, path: Path): Json {
  const key = ids.parse(owner, String(id));
  if (key !== undefined) return idValue(owner, key);
  if (ids.isGlobal) throw invalidId(owner, path);
  return null;
}

function invalidId({ typeName }: ResourceModel, path: Path): BifocalError {
  const message = `'${String(path.at(-1))}' is not a valid id of ${typeName}.`;
  return new BifocalError("VALIDATION_FAILED", message, { issues: [{ path, message, code: "invalid_id" }] });
}

interface InputFields {
  /** Fields whose values are converted. */
  readonly translated: readonly FieldModel[];
  /** Fields that have a default value. */
  readonly standard: readonly FieldModel[];
}

const FIELDS = new WeakMap<ResourceModel, InputFields>();

function fieldsOf(resource: ResourceModel): InputFields {
  let fields = FIELDS.get(resource);
  if (fields === undefined) {
    const { visibleFields } = resource;
    fields = {
      translated: visibleFields.filter((field) => field.identifies || hasUnion(field.input)),
      standard: visibleFields.filter((field) => standardValue(field) !== undefined),
    };
    FIELDS.set(resource, fields);
  }
  return fields;
}

/**
 * Converts an id in an input to a key. GraphQL passes every `ID` as a string. A plain id that should be an integer but
 * isn't is returned unchanged; the resource's schema rejects it.
 */
function keyFromId({ ids, model, resource }: FieldTarget, field: FieldModel, id: unknown, path: Path): unknown {
  if (typeof id !== "string") return id;
  const owner = ids.isGlobal ? idOwner(model, resource, field) : undefined;
  if (owner !== undefined) {
    const key = ids.parse(owner, id);
    if (key !== undefined) return key;
    throw invalidId(owner, path);
  }
  if ((field.input.kind !== "integer" && field.input.kind !== "number") || !/^-?\d{1,16}$/.test(id)) return id;
  return Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

/** Returns the same input if nothing changes. A member that becomes `undefined` is left out. */
function mapFields(
  fields: readonly FieldModel[],
  input: unknown,
  map: (field: FieldModel, value: unknown) => unknown,
): unknown {
  if (!isPlainObject(input)) return input;
  let copy: Record<string, unknown> | undefined;
  for (const field of fields) {
    const { name } = field;
    if (!Object.hasOwn(input, name)) continue;
    const value = map(field, input[name]);
    if (value === input[name]) continue;
    copy ??= { ...input };
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  return copy ?? input;
}
