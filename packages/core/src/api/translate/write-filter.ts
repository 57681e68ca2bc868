import { isPlainObject } from "../../errors/refuse.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { CompareFilter, Filter } from "../../operation/filter.ts";

export type FilterObject = Readonly<Record<string, unknown>>;
/** Returns the operand of a condition in the form of a style. */
export type WriteOperand = (condition: CompareFilter, resource: ResourceModel) => unknown;

/** Writes a filter as the object that `lowerFilter` reads. */
export function writeFilter(
  model: Model,
  resource: ResourceModel,
  filter: Filter,
  writeOperand: WriteOperand = ({ value }) => value,
): FilterObject {
  const write = (inner: Filter): FilterObject => writeFilter(model, resource, inner, writeOperand);
  switch (filter.kind) {
    case "constant":
      return filter.value ? {} : { or: [] };
    case "not":
      return { not: write(filter.filter) };
    case "or":
      return { or: filter.filters.map(write) };
    case "and": {
      const parts = filter.filters.map(write);
      return (repeatsRow(filter.filters) ? undefined : mergeParts(parts)) ?? { and: parts };
    }
    case "compare":
      return { [filter.field]: { [filter.operator]: writeOperand(filter, resource) } };
    case "related": {
      const target = resourceOf(model, resource.relations.get(filter.relation)?.target ?? "");
      const inner = writeFilter(model, target, filter.filter, writeOperand);
      return { [filter.relation]: filter.quantifier === "one" ? inner : { [filter.quantifier]: inner } };
    }
  }
}

/** Whether several conditions are about the same related row. In one object, they would be a single condition. */
function repeatsRow(filters: readonly Filter[]): boolean {
  const rows = filters.flatMap((one) => (one.kind === "related" && one.quantifier === "one" ? [one.relation] : []));
  return new Set(rows).size < rows.length;
}

/**
 * Merges conditions into one object. Lowering sorts its names, so this is undefined for conditions in another order, and
 * for two conditions that need the same name.
 */
function mergeParts(parts: readonly FilterObject[]): FilterObject | undefined {
  const merged: Record<string, unknown> = {};
  let last = "";
  for (const part of parts) {
    const [name = "", value] = Object.entries(part)[0] ?? [];
    const inner = merged[name];
    const [operator = ""] = isPlainObject(value) ? Object.keys(value) : [];
    const order = `${name}\0${operator}`;
    if (order <= last) return undefined;
    last = order;
    if (inner === undefined) merged[name] = value;
    else if (isPlainObject(inner) && isPlainObject(value) && !CONNECTIVES.has(name) && !(operator in inner))
      merged[name] = { ...inner, ...value };
    else return undefined;
  }
  return merged;
}

const CONNECTIVES: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** Shortens `{ title: { eq: "Emma" } }` to `{ title: "Emma" }`, which REST and the client accept. */
export function shortenFilter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortenFilter);
  if (!isPlainObject(value)) return value;
  const { eq } = value;
  if (Object.keys(value).length === 1 && (typeof eq === "string" || typeof eq === "number" || typeof eq === "boolean"))
    return eq;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortenFilter(inner)]));
}
