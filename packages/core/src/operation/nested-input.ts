import type { InputMode, Model, ResourceModel } from "../model/model.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";
import { type NestedPart, rowsOfPart } from "./nested-part.ts";

/** An input, split into the fields of the row itself and the parts for its relations. */
export interface SplitInput {
  readonly own: unknown;
  readonly parts: readonly NestedPart[];
}

/** Splits an input. In a create, a relation that is null or absent creates no rows. */
export function splitInput({ nested }: ResourceModel, mode: InputMode, input: unknown): SplitInput {
  const relations = nested[mode];
  if (!isObject(input) || !relations.some(({ name }) => Object.hasOwn(input, name))) return { own: input, parts: [] };
  const own: Record<string, unknown> = { ...input };
  const parts: NestedPart[] = [];
  for (const relation of relations) {
    if (!Object.hasOwn(own, relation.name)) continue;
    const given = own[relation.name];
    delete own[relation.name];
    const isAbsent = given === undefined || (given === null && mode === "create" && relation.kind !== "manyToMany");
    if (!isAbsent) parts.push({ relation, given, mode });
  }
  return { own, parts };
}

/** Counting stops here, because every cost limit is lower. */
const MAX_COUNTED = 100_000;
/** Deeper inputs are rejected for their depth. */
const DEEPEST = 100;

/**
 * Counts the rows and links that an input writes in addition to its own row, up to `most`. Also terminates for cyclic
 * objects.
 */
export function nestedRows(
  model: Model,
  resource: ResourceModel,
  mode: InputMode,
  input: unknown,
  most = MAX_COUNTED,
): number {
  let rows = 0;
  count(resource, mode, input, 0);
  return rows;

  function count(of: ResourceModel, its: InputMode, one: unknown, depth: number): void {
    if (of.nested[its].length === 0 || depth > DEEPEST) return;
    for (const part of splitInput(of, its, one).parts) {
      const target = model.resources.get(part.relation.target) as ResourceModel;
      for (const inner of rowsOfPart(part)) {
        if (rows > most) return;
        rows++;
        if (inner.mode !== undefined) count(target, inner.mode, inner.input, depth + 1);
      }
    }
  }
}

/** Rejects an input that nests rows more than `most` relations deep, before any read or write. */
export function checkNesting(
  model: Model,
  resource: ResourceModel,
  mode: InputMode,
  input: unknown,
  most: number,
  path: Path = [],
  depth = 1,
): void {
  if (resource.nested[mode].length === 0) return;
  for (const part of splitInput(resource, mode, input).parts) {
    const { name, target } = part.relation;
    if (depth > most) {
      const at = [...path, name];
      const message = `An input can nest at most ${most} levels of relations, and ${quote(at.join("."))} exceeds that.`;
      refuse(at, "too_deep", message);
    }
    for (const row of rowsOfPart(part)) {
      if (row.mode === undefined) continue;
      const related = model.resources.get(target) as ResourceModel;
      checkNesting(model, related, row.mode, row.input, most, [...path, name, ...row.path], depth + 1);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
