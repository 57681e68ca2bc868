import type { ResourceModel, Row } from "../../model/model.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Json } from "../../util/json.ts";
import { Bucket } from "./bucket.ts";
import { type Token, tokenReader } from "../../model/reference.ts";
import { RowIndex } from "./row-index.ts";
import { type RowPlaces, RowSlots } from "./row-slots.ts";
import { tokenOfRow } from "./store-view.ts";

/** The committed rows of one resource, indexed by key, by each indexed field and by each unique group. */
export interface Table {
  readonly resource: ResourceModel;
  readonly get: (token: Token) => Row | undefined;
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
  const rows = new RowSlots();
  const byKey = new Map<Token, number>();
  const source = { resource, rows, slots: byKey };
  const all = new Bucket(source);
  const nothing = new Bucket(source, new Set());
  const indexable = new Set<string>();
  /** Built on first use: most fields are never looked up, and building all indexes would delay the start. */
  const indexes = new Map<string, RowIndex>();
  for (const field of resource.fields.values()) {
    const isUseful = field.filterable || referenced.has(field.name);
    if (isUseful && HASHED.has(field.type.kind)) indexable.add(field.name);
  }
  const groups = resource.unique.map((group) => ({ group, holders: new Map<string, number>() }));

  function indexOf(field: string): RowIndex {
    let index = indexes.get(field);
    if (index === undefined) indexes.set(field, (index = new RowIndex(source, (row) => row[field] ?? null)));
    return index;
  }

  function wideIndexOf(fields: readonly string[]): RowIndex {
    const name = fields.join();
    let index = indexes.get(name);
    if (index === undefined) {
      const tokenIn = tokenReader(fields);
      indexes.set(name, (index = new RowIndex(source, (row) => tokenIn(row) ?? undefined)));
    }
    return index;
  }

  return {
    resource,
    get(token) {
      const slot = byKey.get(token);
      return slot === undefined ? undefined : rows.at(slot);
    },
    all,
    isIndexed: (field) => indexable.has(field),
    withValue,
    withValues: (fields, token) =>
      fields.length === 1 ? withValue(fields[0] as string, token) : (wideIndexOf(fields).get(token) ?? nothing),
    holderOf(group, row) {
      const token = uniqueToken(resource, group, row);
      if (token === undefined) return undefined;
      const slot = groups.find((one) => one.group === group)?.holders.get(token);
      return slot === undefined ? undefined : rows.at(slot);
    },
    insert,
    replace,
    delete: deleteRow,
  };

  function withValue(field: string, value: Json): Bucket | undefined {
    return indexable.has(field) ? (indexOf(field).get(value) ?? nothing) : undefined;
  }

  function insert(row: Row): void {
    const slot = rows.add(row);
    byKey.set(tokenOfRow(resource, row), slot);
    all.add(slot);
    for (const index of indexes.values()) index.add(slot);
    for (const { group, holders } of groups) {
      const token = uniqueToken(resource, group, row);
      if (token !== undefined) holders.set(token, slot);
    }
  }

  function replace(before: Row, after: Row): void {
    const [token, newToken] = [tokenOfRow(resource, before), tokenOfRow(resource, after)];
    const slot = byKey.get(token) as number;
    const detached: RowPlaces[] = [];
    all.detachMoved(slot, after, detached);
    for (const index of indexes.values()) index.detachMoved(slot, after, detached);
    rows.replace(slot, after);
    for (const places of detached) places.add(slot);
    if (token !== newToken) {
      byKey.delete(token);
      byKey.set(newToken, slot);
    }
    for (const { group, holders } of groups) {
      const [value, newValue] = [uniqueToken(resource, group, before), uniqueToken(resource, group, after)];
      if (value === newValue) continue;
      if (value !== undefined) holders.delete(value);
      if (newValue !== undefined) holders.set(newValue, slot);
    }
  }

  function deleteRow(row: Row): void {
    const token = tokenOfRow(resource, row);
    const slot = byKey.get(token) as number;
    all.delete(slot);
    for (const index of indexes.values()) index.delete(slot);
    byKey.delete(token);
    for (const { group, holders } of groups) {
      const value = uniqueToken(resource, group, row);
      if (value !== undefined) holders.delete(value);
    }
    rows.delete(slot);
  }
}

/** Rows with a missing value in a group don't collide, as in SQL. Neither do soft-deleted rows. */
export function uniqueToken({ softDelete }: ResourceModel, group: readonly string[], row: Row): string | undefined {
  if (softDelete !== undefined && (row[softDelete] ?? null) !== null) return undefined;
  const values = group.map((name) => row[name] ?? null);
  return values.includes(null) ? undefined : canonicalJson(values);
}
