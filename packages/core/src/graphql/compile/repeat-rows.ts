import type { Row } from "../../model/model.ts";
import type { RawRelation } from "../../operation/visible-rows.ts";
import type { RelationPlaces, WriteRow } from "./compiler.ts";

/** The row that a relation led to last, and its text once it was written twice. */
interface Last {
  row: Row;
  text: string | undefined;
}

/** Appends a row that a relation leads to. */
export type WriteRelated = (text: string, row: Row, relation: RawRelation, places: RelationPlaces) => string;

/** Writes a row that follows itself once, such as the author of each of an author's books. */
export function repeatRows(write: WriteRow): WriteRelated {
  // A relation belongs to one response, whose rows don't change.
  const lasts = new WeakMap<RawRelation, Last>();
  return (text, row, relation, places) => {
    const last = lasts.get(relation);
    if (last?.row !== row) {
      if (last === undefined) lasts.set(relation, { row, text: undefined });
      else {
        last.row = row;
        last.text = undefined;
      }
      return write(text, row, relation.related, places);
    }
    last.text ??= write("", row, relation.related, places);
    return text + last.text;
  };
}
