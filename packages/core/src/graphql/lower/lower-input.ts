import { BifocalError } from "../../errors/bifocal-error.ts";
import type { FieldModel, ResourceModel } from "../../model/model.ts";
import { tooCostly } from "../../limits/refuse-excess.ts";
import { nestedRows } from "../../operation/nested-input.ts";
import { isPlainObject, type Path } from "../../errors/refuse.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Json } from "../../util/json.ts";
import { idOwner } from "../ids.ts";
import { standardValue } from "../standard-value.ts";
import { fromUnions, hasUnion } from "../unions.ts";
import type { FieldTarget } from "./field-target.ts";

/**
 * Converts the input of a write to the form of the resource's schema: ids become keys, and one-of inputs become unions
 * with discriminators.
 */
export function lowerInput(target: FieldTarget, input: unknown, path: Path = []): unknown {
  return mapFields(fieldsOf(target.resource).translated, input, (field, value) =>
    field.identifies ? keyFromId(target, field, value, [...path, field.name]) : fromUnions(field.input, value),
  );
}

/**
 * Lowers the inputs of creates. Values that equal their default are left out, because GraphQL adds defaults to the
 * input.
 */
export function lowerNewInputs(
  target: FieldTarget,
  inputs: readonly unknown[],
  pathOf: (index: number) => Path,
): unknown[] {
  checkSize(target, inputs);
  return inputs.map((input, index) => lowerNewInput(target, input, pathOf(index)));
}

/** Rejects an input that is too large before it is copied, because a document may use the same variable many times. */
function checkSize({ model, resource, limits }: FieldTarget, inputs: readonly unknown[]): void {
  if (resource.nested.length === 0) return;
  let rows = 0;
  for (const input of inputs) {
    rows += nestedRows(model, resource, input, limits.query.cost);
    if (rows > limits.query.cost) throw tooCostly(rows, limits.query.cost);
  }
}

function lowerNewInput(target: FieldTarget, input: unknown, path: Path): unknown {
  const own = mapFields(fieldsOf(target.resource).standard, lowerInput(target, input, path), (field, value) =>
    equalJson(standardValue(field) as Json, value as Json) ? undefined : value,
  );
  return lowerNested(target, own, path);
}

/** Lowers related rows of a create with their own resource. */
function lowerNested(target: FieldTarget, input: unknown, path: Path): unknown {
  const { nested } = target.resource;
  if (nested.length === 0 || !isPlainObject(input)) return input;
  const copy: Record<string, unknown> = { ...input };
  for (const { name, target: related } of nested) {
    const given = copy[name];
    const inner = { ...target, resource: target.model.resources.get(related) as ResourceModel };
    const at = [...path, name];
    if (Array.isArray(given)) copy[name] = given.map((one, index) => lowerNewInput(inner, one, [...at, index]));
    else if (isPlainObject(given)) copy[name] = lowerNewInput(inner, given, at);
  }
  return copy;
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
    const message = `'${field.name}' is not a valid id of ${owner.typeName}.`;
    throw new BifocalError("VALIDATION_FAILED", message, { issues: [{ path, message, code: "invalid_id" }] });
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
