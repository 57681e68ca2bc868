import type { Model, RelationModel, ResourceModel } from "../model/model.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";

/** The part of an input that describes rows to create along a relation. */
export interface NestedPart {
  readonly relation: RelationModel;
  readonly given: unknown;
}

/** An input of a create, split into the fields of the row itself and the rows to create with it. */
export interface SplitInput {
  readonly own: unknown;
  readonly parts: readonly NestedPart[];
}

/** Splits an input. A relation that is null or absent creates no rows. */
export function splitInput({ nested }: ResourceModel, input: unknown): SplitInput {
  if (!isObject(input) || !nested.some(({ name }) => Object.hasOwn(input, name))) return { own: input, parts: [] };
  const own: Record<string, unknown> = { ...input };
  const parts: NestedPart[] = [];
  for (const relation of nested) {
    if (!Object.hasOwn(own, relation.name)) continue;
    const given = own[relation.name] ?? undefined;
    delete own[relation.name];
    if (given !== undefined) parts.push({ relation, given });
  }
  return { own, parts };
}

/** Returns the inputs of a part, one for each row; undefined if a list is required and missing. */
export function inputsOf({ relation, given }: NestedPart): readonly unknown[] | undefined {
  if (!relation.many) return [given];
  return Array.isArray(given) ? given : undefined;
}

/** Counting stops here, because every cost limit is lower. */
const MAX_COUNTED = 100_000;
/** Deeper inputs are rejected for their depth. */
const DEEPEST = 100;

/** Counts the rows that an input creates in addition to its own, up to `most`. Also terminates for cyclic objects. */
export function nestedRows(model: Model, resource: ResourceModel, input: unknown, most = MAX_COUNTED): number {
  let rows = 0;
  count(resource, input, 0);
  return rows;

  function count(of: ResourceModel, one: unknown, depth: number): void {
    if (of.nested.length === 0 || depth > DEEPEST) return;
    for (const part of splitInput(of, one).parts) {
      const target = model.resources.get(part.relation.target) as ResourceModel;
      for (const inner of inputsOf(part) ?? []) {
        if (rows > most) return;
        rows++;
        count(target, inner, depth + 1);
      }
    }
  }
}

/** Rejects an input that nests rows more than `most` relations deep, before any read or write. */
export function checkNesting(
  model: Model,
  resource: ResourceModel,
  input: unknown,
  most: number,
  path: Path = [],
): void {
  if (resource.nested.length === 0) return;
  for (const part of splitInput(resource, input).parts) {
    const at = [...path, part.relation.name];
    if (at.filter((step) => typeof step === "string").length > most) {
      const message = `An input can nest at most ${most} levels of relations, and ${quote(at.join("."))} exceeds that.`;
      refuse(at, "too_deep", message);
    }
    const target = model.resources.get(part.relation.target) as ResourceModel;
    for (const [index, one] of (inputsOf(part) ?? []).entries()) {
      checkNesting(model, target, one, most, part.relation.many ? [...at, index] : at);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
