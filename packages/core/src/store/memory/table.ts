import type { ResourceModel, Row } from "../../model/model.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Json } from "../../util/json.ts";
import { Bucket, type Rows } from "./bucket.ts";
import type { Token } from "../../model/reference.ts";
import { tokenOfRow } from "./store-view.ts";
import { WideIndex } from "./wide-index.ts";

/** The committed rows of one resource, indexed by key, by each indexed field and by each unique group. */
export interface Table {
  readonly resource: ResourceModel;
  readonly byKey: ReadonlyMap<Token, Row>;
  readonly all: Bucket;
  /** Returns the rows with a value in an indexed field; undefined if the field has no index. */
  readonly withValue: (field: string, value: Json) => Bucket | undefined;
  /** Returns the rows with a value in several fields, given as its token; the same as `withValue` for one field. */
  readonly withValues: (fields: readonly string[], token: Token) => Bucket | undefined;
  readonly isIndexed: (field: string) => boolean;
  /** Returns the row with the same values of a unique group as the given row. */
  readonly holderOf: (group: readonly string[], row: Row) => Row | undefined;
  readonly insert: (row: Row) => void;
  readonly replace: (before: Row, after: Row) => void;
  readonly delete: (row: Row) => void;
}

/** Kinds whose equal values are equal JavaScript values, so that a `Map` finds them. */
const HASHED: ReadonlySet<string> = new Set([
  "string",
  "uuid",
  "email",
  "url",
  "date",
  "time",
  "enum",
  "integer",
  "number",
  "boolean",
]);

export function createTable(resource: ResourceModel, referenced: ReadonlySet<string>): Table {
  const byKey = new Map<Token, Row>();
  const all = new Bucket(resource, valuesOf(byKey));
  const nothing = new Bucket(resource);
  const indexable = new Set<string>();
  /** Built on first use: most fields are never looked up, and building all indexes would delay the start. */
  const indexes = new Map<string, Map<Json, Bucket>>();
  const wideIndexes = new Map<string, WideIndex>();
  for (const field of resource.fields.values()) {
    const isUseful = field.filterable || referenced.has(field.name);
    if (isUseful && HASHED.has(field.type.kind)) indexable.add(field.name);
  }
  const groups = resource.unique.map((group) => ({ group, holders: new Map<string, Row>() }));

  function indexOf(field: string): Map<Json, Bucket> {
    let index = indexes.get(field);
    if (index === undefined) {
      index = new Map();
      for (const row of all.rows) addTo(index, row[field] ?? null, row);
      indexes.set(field, index);
    }
    return index;
  }

  function wideIndexOf(fields: readonly string[]): WideIndex {
    const name = fields.join();
    let index = wideIndexes.get(name);
    if (index === undefined) wideIndexes.set(name, (index = new WideIndex(resource, fields, all.rows)));
    return index;
  }

  function addTo(index: Map<Json, Bucket>, value: Json, row: Row): void {
    let bucket = index.get(value);
    if (bucket === undefined) {
      bucket = new Bucket(resource);
      index.set(value, bucket);
    }
    bucket.add(row);
  }

  function removeFrom(index: Map<Json, Bucket>, value: Json, row: Row): void {
    const bucket = index.get(value);
    bucket?.delete(row);
    if (bucket?.rows.size === 0) index.delete(value);
  }

  return {
    resource,
    byKey,
    all,
    isIndexed: (field) => indexable.has(field),
    withValue,
    withValues: (fields, token) =>
      fields.length === 1 ? withValue(fields[0] as string, token) : (wideIndexOf(fields).get(token) ?? nothing),
    holderOf(group, row) {
      const token = uniqueToken(resource, group, row);
      return token === undefined ? undefined : groups.find((one) => one.group === group)?.holders.get(token);
    },
    insert,
    replace,
    delete: deleteRow,
  };

  function withValue(field: string, value: Json): Bucket | undefined {
    return indexable.has(field) ? (indexOf(field).get(value) ?? nothing) : undefined;
  }

  function insert(row: Row): void {
    all.add(row);
    for (const [field, index] of indexes) addTo(index, row[field] ?? null, row);
    for (const index of wideIndexes.values()) index.add(row);
    note(row);
  }

  function replace(before: Row, after: Row): void {
    all.replace(before, after);
    for (const [field, index] of indexes) {
      const value = after[field] ?? null;
      if (value === (before[field] ?? null)) index.get(value)?.replace(before, after);
      else {
        removeFrom(index, before[field] ?? null, before);
        addTo(index, value, after);
      }
    }
    for (const index of wideIndexes.values()) index.replace(before, after);
    const isRenamed = tokenOfRow(resource, before) !== tokenOfRow(resource, after);
    if (isRenamed || groups.length > 0) forget(before);
    note(after);
  }

  function deleteRow(row: Row): void {
    all.delete(row);
    for (const [field, index] of indexes) removeFrom(index, row[field] ?? null, row);
    for (const index of wideIndexes.values()) index.delete(row);
    forget(row);
  }

  function note(row: Row): void {
    byKey.set(tokenOfRow(resource, row), row);
    for (const { group, holders } of groups) {
      const token = uniqueToken(resource, group, row);
      if (token !== undefined) holders.set(token, row);
    }
  }

  function forget(row: Row): void {
    byKey.delete(tokenOfRow(resource, row));
    for (const { group, holders } of groups) {
      const token = uniqueToken(resource, group, row);
      if (token !== undefined) holders.delete(token);
    }
  }
}

/**
 * Presents the rows of a map as a collection. The map itself is changed by key, so `add` and `delete` do nothing; a
 * separate set would store each row twice.
 */
function valuesOf(byKey: ReadonlyMap<Token, Row>): Rows {
  return {
    get size() {
      return byKey.size;
    },
    [Symbol.iterator]: () => byKey.values(),
    add: () => {},
    delete: () => {},
  };
}

/** Rows with a missing value in a group don't collide, as in SQL. Neither do soft-deleted rows. */
export function uniqueToken({ softDelete }: ResourceModel, group: readonly string[], row: Row): string | undefined {
  if (softDelete !== undefined && (row[softDelete] ?? null) !== null) return undefined;
  const values = group.map((name) => row[name] ?? null);
  return values.includes(null) ? undefined : canonicalJson(values);
}
