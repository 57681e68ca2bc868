import type { Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import { isSameFields } from "../model/reference.ts";
import type { Json } from "../util/json.ts";
import { type SeedData, seedLink, seedRow, seedTarget } from "./seed-row.ts";
import { StoreConflict } from "../errors/store-conflict.ts";
import type { Store, StoreContext } from "./store.ts";

export interface FillOptions {
  /** Called after each 5,000 rows of a resource, and at its end. */
  readonly onProgress?: (progress: FillProgress) => void;
}

export interface FillProgress {
  /** The name of the resource, or the name of a link table. */
  readonly name: string;
  readonly inserted: number;
  readonly total: number;
}

const ROWS_PER_STEP = 5_000;

/**
 * Inserts rows into an open store, all or none, if it has no rows of these resources yet. The data has the format of
 * `memoryStore`; list referenced rows before the rows that reference them. Returns whether it inserted them.
 * @example await api.ready;
 * await fillStore(store, api.model, { author: [], book: [] });
 */
export async function fillStore(
  store: Store,
  { resources }: Model,
  data: SeedData,
  { onProgress }: FillOptions = {},
): Promise<boolean> {
  const context: StoreContext = { signal: undefined };
  const all = [...resources.values()];
  try {
    return await store.transaction(async (within) => {
      for (const name of Object.keys(data)) {
        const { resource } = seedTarget(all, name);
        if (resource !== undefined && (await hasRows(within, resource, context))) return false;
      }
      for (const [name, rows] of Object.entries(data)) {
        const { resource, table } = seedTarget(all, name);
        const at = (index: number): string => `fillStore: ${name}[${index}]`;
        if (resource !== undefined) {
          const given = rows.map((row, index) => withoutUncounted(resource, seedRow(resource, row, at(index))));
          for (let at = 0; at < given.length; at += ROWS_PER_STEP) {
            await within.insert({ resource, rows: given.slice(at, at + ROWS_PER_STEP) }, context);
            onProgress?.({ name, inserted: Math.min(at + ROWS_PER_STEP, given.length), total: given.length });
          }
          continue;
        }
        const relation = relationBy(all, table.name, table.from);
        for (const [index, row] of rows.entries()) {
          const [from, to] = seedLink(table, row, at(index));
          await within.link({ relation, from, to }, context);
        }
        if (rows.length > 0) onProgress?.({ name, inserted: rows.length, total: rows.length });
      }
      return true;
    }, context);
  } catch (thrown) {
    // Another instance that started at the same time has inserted them.
    if (thrown instanceof StoreConflict && (await hasAny(store, all, data, context))) return false;
    throw thrown;
  }
}

async function hasRows(store: Store, resource: ResourceModel, context: StoreContext): Promise<boolean> {
  const sort = resource.key.map((name) => ({ path: [name] as const, descending: false }));
  return (await store.list({ resource, sort, limit: 1 }, context)).rows.length > 0;
}

async function hasAny(
  store: Store,
  all: readonly ResourceModel[],
  data: SeedData,
  context: StoreContext,
): Promise<boolean> {
  for (const name of Object.keys(data)) {
    const { resource } = seedTarget(all, name);
    if (resource !== undefined && (await hasRows(store, resource, context))) return true;
  }
  return false;
}

/** Removes fields that the store generates and that have no value. */
function withoutUncounted(resource: ResourceModel, row: Record<string, Json>): Row {
  for (const field of resource.fields.values()) {
    if (field.generated?.when === "store" && row[field.name] === null) delete row[field.name];
  }
  return row;
}

function relationBy(all: readonly ResourceModel[], table: string, from: readonly string[]): RelationModel {
  const relations = all.flatMap(({ relations: own }) => [...own.values()]);
  return relations.find(({ through }) => through?.name === table && isSameFields(through.from, from)) as RelationModel;
}
