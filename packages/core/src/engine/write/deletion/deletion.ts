import type { Key, ResourceModel, Row } from "../../../model/model.ts";

export interface PlannedDeletion {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly row: Row;
  /** References to other deleted rows that are set to null first, because they form a cycle. */
  readonly nullified?: Row | undefined;
}

/** The further effects of deleting a row. */
export interface Deletion {
  /** Whether the rows are kept and marked as deleted. */
  readonly isSoft: boolean;
  /** Rows that are deleted by cascade, each before the rows it references. */
  readonly cascaded: readonly PlannedDeletion[];
  /** Rows whose references are set to null. */
  readonly emptied: readonly { readonly resource: ResourceModel; readonly key: Key; readonly set: Row }[];
  /** References of the row itself to set to null first. */
  readonly nullified: Row | undefined;
}
