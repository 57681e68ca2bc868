import { CoerceError, coerceWire } from "../../model/coerce.ts";
import type { LinkTable, Model, ResourceModel } from "../../model/model.ts";
import { closestName } from "../../util/closest-name.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import type { Json } from "../../util/json.ts";
import type { Committed } from "./committed.ts";
import { tokenOfRow } from "./view.ts";

/** Rows by the name of a resource, and links by the name of their table: `{ from column, to column }` each. */
export type SeedData = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Fills a store at start. Throws in words for a row that the definitions do not allow: nobody would find it later. */
export function seed(committed: Committed, model: Model, resources: readonly ResourceModel[], data: SeedData): void {
  const tables = linkTables(resources);
  for (const [name, rows] of Object.entries(data)) {
    const resource = resources.find((one) => one.name === name);
    const table = tables.get(name);
    if (resource !== undefined) for (const [index, row] of rows.entries()) seedRow(committed, resource, row, index);
    else if (table !== undefined) seedLinks(committed, table, rows);
    else {
      const known = [...resources.map((one) => one.name), ...tables.keys()];
      const closest = closestName(name, known);
      const hint = closest === undefined ? `There are: ${known.join(", ")}.` : `Did you mean '${closest}'?`;
      throw new Error(`memoryStore: there is no resource '${name}' to put data into. ${hint}`);
    }
  }
}

function seedRow(
  committed: Committed,
  resource: ResourceModel,
  given: Readonly<Record<string, unknown>>,
  index: number,
): void {
  const at = `memoryStore: ${resource.name}[${index}]`;
  for (const name of Object.keys(given)) {
    if (!resource.fields.has(name)) throw new Error(`${at} has '${name}', which is no field of '${resource.name}'.`);
  }
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const value = given[field.name];
    if (field.generated?.when === "store") {
      const number = committed.count(resource.name, field.name, typeof value === "number" ? value : 1);
      row[field.name] = typeof value === "number" ? value : number;
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
  const table = committed.tableOf(resource.name);
  if (table.byKey.has(tokenOfRow(resource, row))) throw new Error(`${at} has the same key as a row before it.`);
  for (const group of resource.unique) {
    if (table.holderOf(group, row) === undefined) continue;
    throw new Error(`${at} has the same ${group.join(", ")} as a row before it.`);
  }
  table.insert(deepFreeze(row));
}

/** Seeds may be in either form: rows that were exported are JSON. */
function toStored(encode: (value: unknown) => Json, value: unknown): unknown {
  try {
    return encode(value);
  } catch {
    return value;
  }
}

function linkTables(resources: readonly ResourceModel[]): ReadonlyMap<string, LinkTable> {
  const tables = new Map<string, LinkTable>();
  for (const resource of resources) {
    for (const { through } of resource.relations.values()) if (through !== undefined) tables.set(through.name, through);
  }
  return tables;
}

function seedLinks({ links }: Committed, table: LinkTable, rows: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [index, row] of rows.entries()) {
    const [from, to] = [row[table.from], row[table.to]];
    if (!isKeyValue(from) || !isKeyValue(to)) {
      throw new Error(`memoryStore: ${table.name}[${index}] needs '${table.from}' and '${table.to}', a key each.`);
    }
    links.set({ through: table }, from, to, true);
  }
}

function isKeyValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
