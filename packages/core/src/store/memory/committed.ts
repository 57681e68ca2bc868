import type { Model, ResourceModel } from "../../model/model.ts";
import { tokenReader } from "../../model/reference.ts";
import { createLinks, type Links } from "./links.ts";
import { createReceipts, type Receipts } from "./receipts.ts";
import { createTable, type Table } from "./table.ts";
import { relatedRows, type StoreView } from "./store-view.ts";

/** The committed data: a table for each resource, the links, and the state of sequences. */
export interface Committed {
  readonly view: StoreView;
  readonly tableOf: (name: string) => Table;
  readonly links: Links;
  readonly receipts: Receipts;
  /** The number of commits. */
  readonly version: () => number;
  readonly changed: () => void;
  /**
   * Returns the next number of a sequence. With `atLeast`, raises the last number to at least that and returns it.
   * Numbers of failed transactions aren't reused.
   */
  readonly count: (resource: string, field: string, atLeast?: number) => number;
}

export function createCommitted(model: Model, resources: readonly ResourceModel[]): Committed {
  const tables = new Map(
    resources.map((resource) => [resource.name, createTable(resource, referencedFields(model, resource))]),
  );
  const links = createLinks();
  let version = 0;
  const counters = new Map<string, number>();
  const tableOf = (name: string): Table => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`This store doesn't contain '${name}'.`);
    return table;
  };
  const lookups: Omit<StoreView, "related"> = {
    model,
    resourceOf: (name) => model.resources.get(name) as ResourceModel,
    get: (resource, token) => tables.get(resource.name)?.get(token),
    all: (resource) => tableOf(resource.name).all.rows,
    size: (resource) => tableOf(resource.name).all.size,
    withValue: (resource, field, value) => {
      const bucket = tableOf(resource.name).withValue(field, value);
      if (bucket !== undefined) return [...bucket.rows];
      return [...tableOf(resource.name).all.rows].filter((row) => (row[field] ?? null) === value);
    },
    withValues(resource, fields, token) {
      const bucket = tableOf(resource.name).withValues(fields, token);
      if (bucket !== undefined) return [...bucket.rows];
      const tokenIn = tokenReader(fields);
      return [...tableOf(resource.name).all.rows].filter((row) => tokenIn(row) === token);
    },
    linked: (relation, token) => links.far(relation, token),
  };
  return {
    view: { ...lookups, related: (relation, row) => relatedRows(lookups, relation, row) },
    tableOf,
    links,
    receipts: createReceipts(),
    version: () => version,
    changed: () => void version++,
    count(resource, field, atLeast) {
      const name = `${resource}.${field}`;
      const last = counters.get(name) ?? 0;
      const next = atLeast === undefined ? last + 1 : Math.max(last, atLeast);
      counters.set(name, next);
      return next;
    },
  };
}

/** Returns the fields by which relations look up rows. */
function referencedFields(model: Model, resource: ResourceModel): ReadonlySet<string> {
  const fields = new Set<string>();
  const add = (names: readonly string[]): void => names.forEach((name) => fields.add(name));
  for (const relation of resource.relations.values()) add(relation.local);
  for (const other of model.resources.values()) {
    for (const relation of other.relations.values()) if (relation.target === resource.name) add(relation.foreign);
  }
  return fields;
}
