import type { Key, ResourceModel, Row } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import type { Group } from "./group.ts";
import type { RelationSelection, Selection } from "./selection.ts";

/** A row as the caller may see it, with everything selected below it. */
export interface ReadableRow {
  /** Visits the row. `selection` is a part of the selection that was read. Default: all of it. */
  readonly write: <Result>(writer: RowWriter<Result>, selection?: Selection) => Result;
  /** Returns the result of a selected relation, by its `as`: a row, `null`, a page or groups. Returns undefined if it is denied. */
  readonly related: (as: string) => ReadableRow | RowPage | GroupPage | null | undefined;
  /** The stored row, for compiled writers. Absent if the caller can't read everything selected. */
  readonly raw?: RawRow | undefined;
}

/** The extent of a page: how many rows it has, and whether others precede or follow. */
export interface PageSummary {
  /** Number of rows on the page. */
  readonly length: number;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** Number of all matching rows, if the operation requested it. Not more than `limits.query.count` unless exact. */
  readonly total?: number | undefined;
  /** False if counting stopped at the limit, so there are at least `total` rows. Set if `total` is. */
  readonly totalIsExact?: boolean | undefined;
  /** Returns the cursor of the row at this index. Cursors are computed on demand. */
  readonly cursor: (index: number) => string;
}

/** One page of rows as the caller may see them. */
export interface RowPage extends PageSummary {
  /** Visits all rows, like `ReadableRow.write`. */
  readonly write: <Result>(writer: RowWriter<Result>, selection?: Selection) => readonly Result[];
  /** The stored rows, for compiled writers. Absent if the caller can't read everything selected on all rows. */
  readonly raw?: RawRows | undefined;
  /** The text of each row, if the operation offered to accept it (`offerTexts`). Such a page has no other form. */
  readonly texts?: readonly string[] | undefined;
}

/** One page of groups. `total` is the number of all groups that match. */
export interface GroupPage extends PageSummary {
  readonly groups: readonly Group[];
  readonly total: number;
}

/** Related rows by the `as` of their relation. */
export type RawRelations = ReadonlyMap<string, RawRelation>;

/** A row as the store returned it, without a copy. Never mutated. */
export interface RawRow {
  readonly row: Row;
  readonly related: RawRelations;
}

export interface RawRows {
  readonly rows: readonly Row[];
  readonly related: RawRelations;
}

/** The related rows of each row: a single row, a page, or groups. */
export interface RawRelation {
  readonly rowOf?: (row: Row) => Row | null;
  readonly pageOf?: (row: Row) => RowPage;
  readonly groupsOf?: (row: Row) => GroupPage;
  /** The rows that others refer to. They and the referring rows determine the results of `rowOf`. */
  readonly owners?: readonly Row[];
  readonly related: RawRelations;
}

/**
 * Builds another form of a row. The engine visits the row as the caller may see it, and passes each member in the order
 * of the selection.
 */
export interface RowWriter<Result> {
  /** Accepts a stored row that holds exactly what was selected. It must not be mutated. Default: its members are visited. */
  readonly reuse?: (row: Row) => Result;
  readonly create: (resource: ResourceModel) => Result;
  readonly key?: (result: Result, key: Key) => void;
  readonly field: (result: Result, name: string, value: Json, resource: ResourceModel) => void;
  readonly one: (result: Result, selected: RelationSelection, related: Result | null) => void;
  readonly many: (result: Result, selected: RelationSelection, page: RowPage) => void;
  /** Receives groups of the rows of a relation, which are rows of `target`. Default: they are left out. */
  readonly groups?: (result: Result, selected: RelationSelection, page: GroupPage, target: ResourceModel) => void;
  /** Receives a selected field, or the `as` of a relation, that the caller can't read. Default: it is left out. */
  readonly denied?: (result: Result, name: string) => void;
}
