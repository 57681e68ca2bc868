import { CoerceError, coerceWire } from "../model/coerce.ts";
import type { Key, LinkTable, ResourceModel } from "../model/model.ts";
import { closestName } from "../util/closest-name.ts";
import type { Json } from "../util/json.ts";

/** Rows by the name of a resource, and links by the name of their table: `{ from column, to column }` each. */
export type SeedData = Readonly<Record<string, readonly SeedRow[]>>;
export type SeedRow = Readonly<Record<string, unknown>>;

/** The resource or link table of a name in the seed data. */
export type SeedTarget =
  | { readonly resource: ResourceModel; readonly table?: never }
  | { readonly resource?: never; readonly table: LinkTable };

/**
 * Finds the resource or link table of a name. Throws if there is none, because the mistake would go unnoticed later.
 */
export function seedTarget(resources: readonly ResourceModel[], name: string): SeedTarget {
  const resource = resources.find((one) => one.name === name);
  if (resource !== undefined) return { resource };
  const tables = linkTables(resources);
  const table = tables.get(name);
  if (table !== undefined) return { table };
  const known = [...resources.map((one) => one.name), ...tables.keys()];
  const closest = closestName(name, known);
  const hint = closest === undefined ? `Available: ${known.join(", ")}.` : `Did you mean '${closest}'?`;
  throw new Error(`Unknown resource '${name}' in the seed data. ${hint}`);
}

function linkTables(resources: readonly ResourceModel[]): ReadonlyMap<string, LinkTable> {
  const tables = new Map<string, LinkTable>();
  for (const resource of resources) {
    for (const { through } of resource.relations.values()) if (through !== undefined) tables.set(through.name, through);
  }
  return tables;
}

/**
 * Converts a seed row to stored form. Fields that the store generates are null unless a value is given. Throws if the
 * row violates the definition.
 */
export function seedRow(resource: ResourceModel, given: SeedRow, at: string): Record<string, Json> {
  for (const name of Object.keys(given)) {
    if (!resource.fields.has(name)) throw new Error(`${at} has the unknown field '${name}' of '${resource.name}'.`);
  }
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const value = given[field.name];
    if (field.generated?.when === "store") {
      row[field.name] = typeof value === "number" ? value : null;
      continue;
    }
    const stored =
      value === undefined
        ? (field.default ?? (field.name === resource.version ? 1 : null))
        : field.codec === undefined
          ? value
          : toStored(field.codec.toStored, value);
    try {
      row[field.name] = stored === null && field.type.nullable ? null : coerceWire(field.type, stored);
    } catch (thrown) {
      if (!(thrown instanceof CoerceError)) throw thrown;
      throw new Error(`${at}.${field.name}: ${thrown.message}`, { cause: thrown });
    }
  }
  return row;
}

/** Seeds may contain decoded or stored values, because exported rows are JSON. */
function toStored(encode: (value: unknown) => Json, value: unknown): unknown {
  try {
    return encode(value);
  } catch {
    return value;
  }
}

/** Returns the two keys of a link. */
export function seedLink(table: LinkTable, row: SeedRow, at: string): readonly [from: Key, to: Key] {
  const keyIn = (columns: readonly string[]): Key => {
    const parts = columns.map((column) => row[column]);
    if (parts.every(isKeyValue)) return parts.length === 1 ? (parts[0] as Key) : parts;
    const names = [...table.from, ...table.to].map((column) => `'${column}'`);
    throw new Error(`${at} needs ${names.join(" and ")}, each with a key.`);
  };
  return [keyIn(table.from), keyIn(table.to)];
}

function isKeyValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
