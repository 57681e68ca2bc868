import type { Row as StoredRow, Store } from "@bifocal/core";
import type { Model, ResourceModel } from "@bifocal/core/store";
import type { Entry, Link, Note, Row, State, Tag } from "./state.ts";
import type { OpenedStore } from "./stores.ts";

const CONTEXT = { signal: undefined };
const BY_ID = [{ path: ["id"], descending: false }] as const;
const MAX_ROWS = 1_000;
const HISTORY = "rowHistory";

function resourceOf(model: Model, name: string): ResourceModel {
  const resource = model.resources.get(name);
  if (resource === undefined) throw new Error(`Unknown resource ${name}.`);
  return resource;
}

async function rowsOf(store: Store, resource: ResourceModel): Promise<readonly StoredRow[]> {
  return (await store.list({ resource, sort: BY_ID, limit: MAX_ROWS }, CONTEXT)).rows;
}

/** The history of rows, without the ids of entries, which are random. */
async function entriesOf(store: Store, model: Model): Promise<readonly Entry[]> {
  const resource = model.resources.get(HISTORY);
  if (resource === undefined) return [];
  const entries = (await rowsOf(store, resource)).map((row) => {
    const { id: _, ...entry } = row;
    return entry as unknown as Entry;
  });
  return entries.toSorted((a, b) => a.rowId - b.rowId || (a.at < b.at ? -1 : 1));
}

async function linksOf(store: Store, model: Model, rows: readonly StoredRow[]): Promise<readonly Link[]> {
  const relation = resourceOf(model, "row").relations.get("tags");
  if (relation === undefined || rows.length === 0) return [];
  const resource = resourceOf(model, "tag");
  const parents = rows.map(({ id }) => id as number);
  const pages = await store.listPer({ resource, sort: BY_ID, limit: MAX_ROWS, relation, parents }, CONTEXT);
  return pages.flatMap((page, at) => page.rows.map(({ id }): Link => [parents[at] as number, id as number]));
}

/** All rows of a store, read without the engine. */
export async function readTables(store: Store, model: Model): Promise<State> {
  const all = await rowsOf(store, resourceOf(model, "row"));
  const [rows, deleted] = [all.filter((row) => !isDeleted(row)), all.filter(isDeleted)];
  const [notes, tags, links, entries] = await Promise.all([
    rowsOf(store, resourceOf(model, "note")),
    rowsOf(store, resourceOf(model, "tag")),
    linksOf(store, model, all),
    entriesOf(store, model),
  ]);
  return {
    rows: rows as unknown as Row[],
    deleted: deleted as unknown as Row[],
    entries,
    notes: notes as unknown as Note[],
    tags: tags as unknown as Tag[],
    links,
  };
}

const EMPTY: State = { rows: [], deleted: [], entries: [], notes: [], tags: [], links: [] };

const isDeleted = ({ deletedAt = null }: StoredRow): boolean => deletedAt !== null;

/** Sets the rows of a store, without the engine. */
export async function fillTables({ store, clear }: OpenedStore, model: Model, state: State): Promise<void> {
  const relation = resourceOf(model, "row").relations.get("tags");
  await clear?.();
  await store.transaction(async (inside) => {
    const before = clear === undefined ? await readTables(inside, model) : EMPTY;
    if (relation !== undefined) {
      for (const [from, to] of before.links) await inside.unlink({ relation, from, to }, CONTEXT);
    }
    await fillHistory(inside, model, state, clear === undefined);
    for (const name of ["note", "row", "tag"] as const) {
      const resource = resourceOf(model, name);
      const allOf = (one: State) => [...one[`${name}s`], ...(name === "row" ? one.deleted : [])];
      for (const { id } of allOf(before)) await inside.delete({ resource, key: id }, CONTEXT);
      const rows = allOf(state).map((row) => withoutVersion(resource, row as unknown as StoredRow));
      if (rows.length > 0) await inside.insert({ resource, rows }, CONTEXT);
    }
    if (relation !== undefined) {
      for (const [from, to] of state.links) await inside.link({ relation, from, to }, CONTEXT);
    }
  }, CONTEXT);
  await setVersions(store, model, state);
}

async function fillHistory(store: Store, model: Model, { entries }: State, hasOld: boolean): Promise<void> {
  const resource = model.resources.get(HISTORY);
  if (resource === undefined) return;
  for (const { id } of hasOld ? await rowsOf(store, resource) : []) {
    await store.delete({ resource, key: id as string }, CONTEXT);
  }
  const rows = entries.map((entry, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    ...entry,
  }));
  if (rows.length > 0) await store.insert({ resource, rows: rows as unknown as StoredRow[] }, CONTEXT);
}

/** The store sets versions itself: 1 at first, and one more with each write. */
async function setVersions(store: Store, model: Model, state: State): Promise<void> {
  const resource = resourceOf(model, "row");
  const { version } = resource;
  if (version === undefined) return;
  const count = async (row: Row): Promise<void> => {
    for (let at = 1; at < (row[version] as number); at++) {
      await store.update({ resource, key: row.id, set: { color: row.color } }, CONTEXT);
    }
  };
  await Promise.all([...state.rows, ...state.deleted].map(count));
}

function withoutVersion({ version }: ResourceModel, row: StoredRow): StoredRow {
  if (version === undefined) return row;
  const { [version]: _, ...others } = row;
  return others;
}
