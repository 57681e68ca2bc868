import type { ResourceModel } from "../../model/model.ts";

/**
 * GraphQL hands every `ID` over as a string; in the body of a write, a key that is an integer becomes one again. What
 * is no integer stays as it is, for the resource's own schema to refuse.
 */
export function inputFromIds(resource: ResourceModel, input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const given = input as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const field of resource.visibleFields) {
    if (!field.identifies || field.input.kind !== "integer") continue;
    const integer = integerOf(given[field.name]);
    if (integer === undefined) continue;
    copy ??= { ...given };
    copy[field.name] = integer;
  }
  return copy ?? input;
}

function integerOf(id: unknown): number | undefined {
  if (typeof id !== "string" || !/^-?\d{1,16}$/.test(id)) return undefined;
  return Number.isSafeInteger(Number(id)) ? Number(id) : undefined;
}
