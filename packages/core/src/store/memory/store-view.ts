import type { Model, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";

/** The data that a read sees: the committed rows, or those of a transaction. */
export interface StoreView {
  readonly model: Model;
  readonly resourceOf: (name: string) => ResourceModel;
  readonly get: (resource: ResourceModel, token: Token) => Row | undefined;
  readonly all: (resource: ResourceModel) => Iterable<Row>;
  readonly size: (resource: ResourceModel) => number;
  /** Returns the rows with a value in a field. */
  readonly withValue: (resource: ResourceModel, field: string, value: Json) => readonly Row[];
  /** Returns the values that are linked to a value. */
  readonly linked: (relation: RelationModel, value: Json) => readonly Json[];
  readonly related: (relation: RelationModel, row: Row) => readonly Row[];
}

/** A key in the form of a `Map` key. */
export type Token = string | number;

export function tokenOf(key: string | number | readonly (string | number)[]): Token {
  return typeof key === "object" ? JSON.stringify(key) : key;
}

export function tokenOfRow({ key }: ResourceModel, row: Row): Token {
  return key.length === 1 ? (row[key[0] as string] as Token) : JSON.stringify(key.map((name) => row[name]));
}

/** Returns the related rows of a row, using the lookups of a view. */
export function relatedRows(view: Omit<StoreView, "related">, relation: RelationModel, row: Row): readonly Row[] {
  const value = row[relation.local] ?? null;
  if (value === null) return [];
  const target = view.resourceOf(relation.target);
  if (relation.kind === "belongsTo") {
    const found = view.get(target, value as Token);
    return found === undefined ? [] : [found];
  }
  if (relation.through === undefined) return view.withValue(target, relation.foreign, value);
  const rows: Row[] = [];
  for (const far of view.linked(relation, value)) {
    const found = view.get(target, far as Token);
    if (found !== undefined) rows.push(found);
  }
  return rows;
}
