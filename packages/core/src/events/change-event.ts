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
  /** What happened is that another row was linked or unlinked: the relations of this one that show it. The row itself is as it was. */
  readonly links?: readonly string[];
  /** The key of that other row. Absent in link events of earlier versions. */
  readonly linked?: Key;
}

/** A change as its writer notes it, before it has a place among the others. */
export type EventDraft = Omit<ChangeEvent, "id">;

/** What a subscriber hears. `reset`: changes were missed; those behind this id come. */
export type ChangeMessage = ChangeEvent | { readonly kind: "reset"; readonly id: string };
