import type { Key, Row } from "../model/model.ts";
import type { ChangeKind } from "../operation/operation.ts";

/** A committed change. Ids grow in the order of commit. */
export interface ChangeEvent {
  readonly id: string;
  readonly resource: string;
  readonly kind: ChangeKind;
  readonly key: Key;
  /** Absent for `created`. */
  readonly before?: Row;
  /** Absent for `deleted`. */
  readonly after?: Row;
  /**
   * Present if another row was linked or unlinked: the relations of this row that show the link. The row itself is
   * unchanged.
   */
  readonly links?: readonly string[];
  /** The key of the linked row. Absent in link events of earlier versions. */
  readonly linked?: Key;
}

/** A change as recorded by its writer, before it has an offset. */
export type EventDraft = Omit<ChangeEvent, "id">;

/** A message to a subscriber. `reset` means that changes were missed; the next messages follow after its id. */
export type ChangeMessage = ChangeEvent | { readonly kind: "reset"; readonly id: string };
