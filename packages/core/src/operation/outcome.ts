import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, Row } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import type { ChangeKind } from "./operation.ts";

/**
 * A row as the caller may see it: the selected fields, then a `Node`, `null` or `PageNode` for each selected relation
 * under its `as`. A selected name whose value is `undefined` was denied: REST leaves it out, GraphQL answers `null`
 * with an error. Never mutated; may be the store's own row.
 */
export interface Node {
  readonly [name: string]: Json | Node | PageNode | undefined;
}

/** Rows as they were read, from which nothing was copied yet. Never mutated. */
export interface RawRows {
  readonly rows: readonly Row[];
  /** What was read along each relation of the selection, by its `as`. */
  readonly related: ReadonlyMap<string, RawRelation>;
}

/** The rows that others lead to: one for each, or a page. */
export interface RawRelation {
  readonly rowOf?: (row: Row) => Row | null;
  readonly pageOf?: (row: Row) => PageNode;
  readonly related: RawRows["related"];
}

/** One page of rows. */
export interface PageNode {
  readonly nodes: readonly Node[];
  /** Instead of `nodes`, for who writes text of the selected fields; absent where the caller may not read them all. */
  readonly raw?: RawRows | undefined;
  /** The text of each row, as the operation offered to take it (`offerTexts`); `nodes` then have nothing but their number. */
  readonly texts?: readonly string[] | undefined;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** All rows that match, where the operation asked to count. */
  readonly total?: number;
  /** The cursor of the row at this index, made when asked for. */
  readonly cursor: (index: number) => string;
}

/** What the engine answers. `personal`: it depended on who asked, so no shared cache may keep it. */
export type Outcome =
  | ItemOutcome
  | BatchOutcome
  | PageOutcome
  | PermissionsOutcome
  | NothingOutcome
  | ResultOutcome
  | StreamOutcome
  | FailureOutcome;

export interface ItemOutcome {
  readonly kind: "item";
  readonly node: Node;
  /** Instead of `node`, for who writes text of the selected fields; absent where the caller may not read them all. */
  readonly raw?: RawRows | undefined;
  readonly key: Key;
  /** Names the state of the whole row (see util/row-version); the same for every selection. */
  readonly version: string;
  /** Paths of the selection that the caller may not read on any row: `["email"]`, `["author.email"]`. */
  readonly denied: readonly string[];
  readonly personal: boolean;
  /** A replacement made the row. */
  readonly created?: boolean;
}

/** What was done to many rows, in their order. */
export interface BatchOutcome {
  readonly kind: "batch";
  readonly keys: readonly Key[];
  /** Where the operation has a selection; `null` for a row that its writer may not read. */
  readonly nodes: readonly (Node | null)[];
  readonly denied: readonly string[];
}

export interface PageOutcome {
  readonly kind: "page";
  readonly page: PageNode;
  readonly denied: readonly string[];
  readonly personal: boolean;
}

/** Done, and there is no row to show: removed, unlinked, an action without output. */
export interface NothingOutcome {
  readonly kind: "nothing";
  /** Of the row that was written or removed. */
  readonly key?: Key;
  /** A replacement made the row. */
  readonly created?: boolean;
}

/** What an action with an `output` schema answered, in wire form. */
export interface ResultOutcome {
  readonly kind: "result";
  readonly value: Json;
}

/** What the caller may do, as far as rules can tell without an input. */
export interface PermissionsOutcome {
  readonly kind: "permissions";
  readonly create: boolean;
  /** Of the row that was asked about. */
  readonly update: boolean;
  readonly delete: boolean;
  /** Actions of the row, or, without one, of the resource. */
  readonly actions: readonly string[];
  /** Fields that the caller may not write. */
  readonly unwritable: readonly string[];
  /** Another caller may hear something else. */
  readonly personal: boolean;
}

export interface StreamOutcome {
  readonly kind: "stream";
  readonly changes: ChangeStream;
  /** As of an item, when the stream is opened. */
  readonly denied: readonly string[];
}

/**
 * Changes in their order: read one by one, or handed over as they come, not both. `return` ends it. Who reads too slowly
 * loses what waits, and gets a `reset`. Rejects with UNAUTHENTICATED once the caller's credential has expired.
 */
export interface ChangeStream extends AsyncIterableIterator<Change, undefined> {
  /** Hands over what waits, and then each change as it comes. */
  readonly listen: (listener: ChangeListener) => void;
  /** From then on only `return` ends it, and no longer the caller's `signal`. */
  readonly ignoreSignal: () => void;
  readonly return: () => Promise<IteratorResult<Change, undefined>>;
}

export interface ChangeListener {
  /** Called for each change in turn; must not wait. One that throws gets no more. */
  readonly next: (change: Change) => void;
  /**
   * Waits until its reader has taken most of what it was given; undefined where it has. Asked where there is much at once:
   * the state to start from, what was missed, many changes of one commit.
   */
  readonly room?: () => Promise<void> | undefined;
  /** The stream is over without `return`: with an error, or because its source is closed. */
  readonly end: (error: BifocalError | undefined) => void;
}

interface ChangedRow {
  readonly key: Key;
  readonly node: Node;
  /** As of an item. */
  readonly raw?: RawRows | undefined;
}

/**
 * A change as this subscriber may see it. `current`: no change, but a row of the state from which they start. `removed`:
 * an update took a row out of what this subscriber sees; nothing is told but its key. `reset`: events were missed, so read
 * again. Subscribers who see the same share one object.
 */
export type Change =
  | (ChangedRow & { readonly kind: ChangeKind; readonly id: string })
  | (ChangedRow & { readonly kind: "current" })
  | { readonly kind: "removed"; readonly id: string; readonly key: Key }
  | { readonly kind: "reset"; readonly id: string };

export interface FailureOutcome {
  readonly kind: "failure";
  readonly error: BifocalError;
}
