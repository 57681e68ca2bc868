import type { InputMode, ResourceModel } from "../../model/model.ts";
import { tooCostly } from "../../limits/refuse-excess.ts";
import { nestedRows } from "../../operation/nested-input.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import { isPlainObject, type Path } from "../../errors/refuse.ts";
import type { FieldTarget } from "./field-target.ts";
import { lowerFields, lowerNewFields, lowerRowId } from "./lower-fields.ts";

/** Lowers the input of an update or replacement, with its nested parts. */
export function lowerInput(target: FieldTarget, mode: "replace" | "update", input: unknown): unknown {
  checkSize(target, mode, [input]);
  return lowerNested(target, mode, lowerFields(target, input, []), []);
}

/** Lowers the inputs of creates, with their nested rows. */
export function lowerNewInputs(
  target: FieldTarget,
  inputs: readonly unknown[],
  pathOf: (index: number) => Path,
): unknown[] {
  checkSize(target, "create", inputs);
  return inputs.map((input, index) => lowerNewInput(target, input, pathOf(index)));
}

/** Rejects an input that is too large before it is copied, because a document may use the same variable many times. */
function checkSize({ model, resource, limits }: FieldTarget, mode: InputMode, inputs: readonly unknown[]): void {
  if (resource.nested[mode].length === 0) return;
  let rows = 0;
  for (const input of inputs) {
    rows += nestedRows(model, resource, mode, input, limits.query.cost);
    if (rows > limits.query.cost) throw tooCostly(rows, limits.query.cost);
  }
}

function lowerNewInput(target: FieldTarget, input: unknown, path: Path): unknown {
  return lowerNested(target, "create", lowerNewFields(target, input, path), path);
}

/** Lowers related rows with their own resource, and the ids of links. */
function lowerNested(target: FieldTarget, mode: InputMode, input: unknown, path: Path): unknown {
  const nested = target.resource.nested[mode];
  if (nested.length === 0 || !isPlainObject(input)) return input;
  const copy: Record<string, unknown> = { ...input };
  for (const { name, target: related, kind } of nested) {
    if (!Object.hasOwn(copy, name)) continue;
    const given = copy[name];
    const inner = { ...target, resource: target.model.resources.get(related) as ResourceModel };
    const at = [...path, name];
    if (kind === "manyToMany") copy[name] = lowerLinks(inner, given, at);
    else if (mode === "update") copy[name] = lowerChildren(inner, given, at);
    else if (Array.isArray(given)) copy[name] = given.map((one, index) => lowerNewInput(inner, one, [...at, index]));
    else if (isPlainObject(given)) copy[name] = lowerNewInput(inner, given, at);
  }
  return copy;
}

/** `{ set: [...] }` becomes a list, because GraphQL has no input type for a list or an object. */
function lowerLinks(target: FieldTarget, given: unknown, path: Path): unknown {
  if (!isPlainObject(given)) return lowerIds(target, given, path);
  const { set, ...changes } = given;
  if (set === undefined) return mapMembers(changes, (list, name) => lowerIds(target, list, [...path, name]));
  if (Object.keys(changes).length > 0) {
    const message = "'set' can't be combined with 'add' or 'remove'.";
    throw new BifocalError("VALIDATION_FAILED", message, { issues: [{ path, message, code: "contradiction" }] });
  }
  return lowerIds(target, set, path);
}

function lowerIds(target: FieldTarget, given: unknown, path: Path): unknown {
  return Array.isArray(given)
    ? given.map((id, index) => lowerRowId(target, target.resource, id, [...path, index]))
    : given;
}

function lowerChildren(target: FieldTarget, given: unknown, path: Path): unknown {
  if (!isPlainObject(given)) return given;
  return mapMembers(given, (list, name) => {
    const at = [...path, name];
    if (name === "delete") return lowerIds(target, list, at);
    if (!Array.isArray(list)) return list;
    const lower = name === "create" ? lowerNewInput : lowerChildUpdate;
    return list.map((one: unknown, index) => lower(target, one, [...at, index]));
  });
}

function lowerChildUpdate(target: FieldTarget, given: unknown, path: Path): unknown {
  if (!isPlainObject(given)) return given;
  const { id, ifMatch, ...input } = given;
  const key = lowerRowId(target, target.resource, id, [...path, "id"]);
  const version = ifMatch === undefined || ifMatch === null ? {} : { ifMatch };
  const fields = lowerNested(target, "update", lowerFields(target, input, path), path);
  return { id: key, ...version, ...(fields as object) };
}

function mapMembers(
  given: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value, name)]));
}
