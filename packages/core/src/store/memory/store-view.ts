import type { Model, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { type Token, tokenIn } from "../../model/reference.ts";
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
  /** Returns the rows with a value in several fields, given as its token. One field works as well. */
  readonly withValues: (resource: ResourceModel, fields: readonly string[], token: Token) => readonly Row[];
  /** Returns the tokens that are linked to a token. */
  readonly linked: (relation: RelationModel, token: Token) => readonly Token[];
  readonly related: (relation: RelationModel, row: Row) => readonly Row[];
}

export function tokenOfRow({ key }: ResourceModel, row: Row): Token {
  return key.length === 1 ? (row[key[0] as string] as Token) : JSON.stringify(key.map((name) => row[name]));
}

/** Returns the related rows of a row, using the lookups of a view. */
export function relatedRows(view: Omit<StoreView, "related">, relation: RelationModel, row: Row): readonly Row[] {
  const token = tokenIn(relation.local, row);
  if (token === null) return [];
  const target = view.resourceOf(relation.target);
  if (relation.through === undefined) {
    if (!relation.toKey) return view.withValues(target, relation.foreign, token);
    const found = view.get(target, token);
    return found === undefined ? [] : [found];
  }
  const rows: Row[] = [];
  for (const far of view.linked(relation, token)) {
    const found = view.get(target, far);
    if (found !== undefined) rows.push(found);
  }
  return rows;
}
