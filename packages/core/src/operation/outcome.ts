import type { GroupPage } from "./visible-rows.ts";
import type { Observer } from "./observer.ts";
import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, Row } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import type { ChangeKind } from "./operation.ts";
import type { RowPage, ReadableRow } from "./visible-rows.ts";

/**
 * The result of an operation. `personal` is true if it depends on the caller, so that no shared cache may store it.
 */
export type Outcome =
  | ItemOutcome
  | BatchOutcome
  | PageOutcome
  | GroupsOutcome
  | PermissionsOutcome
  | NothingOutcome
  | ResultOutcome
  | StreamOutcome
  | FailureOutcome;

export interface ItemOutcome {
  readonly kind: "item";
  readonly row: ReadableRow;
  readonly key: Key;
  /** Identifies the state of the whole row (see model/row-version); the same for every selection. */
  readonly version: string;
  /** The version as an entity tag. */
  readonly tag: string;
  /** The JSON text of the whole stored row, if it is known. */
  readonly text?: string | undefined;
  readonly personal: boolean;
  /** True if a replace operation created the row. */
  readonly created?: boolean;
}

/** The result for many rows, in their order. */
export interface BatchOutcome {
  readonly kind: "batch";
  readonly keys: readonly Key[];
  /** Set if the operation has a selection. Contains `null` for each row that the caller can't read. */
  readonly rows: readonly (ReadableRow | null)[];
  /** The same rows as the store returned them, if it has just written them. */
  readonly written?: readonly Row[];
}

export interface PageOutcome {
  readonly kind: "page";
  readonly page: RowPage;
  readonly personal: boolean;
}

/** One page of groups with the values that were computed from their rows. */
export interface GroupsOutcome {
  readonly kind: "groups";
  readonly page: GroupPage;
  readonly personal: boolean;
}

/** The operation succeeded and has no row to return: a deletion, an unlink, or an action without output. */
export interface NothingOutcome {
  readonly kind: "nothing";
  /** The key of the row that was written or deleted. */
  readonly key?: Key;
  /** True if a replace operation created the row. */
  readonly created?: boolean;
}

/** The result of an action or a query with an `output` schema, in wire form. */
export interface ResultOutcome {
  readonly kind: "result";
  readonly value: Json;
  /** Set for queries. */
  readonly personal?: boolean;
}

/** The operations that the caller is allowed to run, as far as rules can decide without an input. */
export interface PermissionsOutcome {
  readonly kind: "permissions";
  readonly create: boolean;
  /** For the requested row. */
  readonly update: boolean;
  readonly delete: boolean;
  /** The allowed actions on the row, or on the resource if no row was requested. */
  readonly actions: readonly string[];
  /** Fields that the caller can't write. */
  readonly unwritable: readonly string[];
  /** True if the result depends on the caller. */
  readonly personal: boolean;
}

export interface StreamOutcome {
  readonly kind: "stream";
  readonly changes: ChangeStream;
}

/**
 * Changes in order. Read them one by one or pass an observer, but not both. `return` ends the stream. A subscriber that
 * reads too slowly loses its pending changes and gets a `reset`. Rejects with UNAUTHENTICATED when the caller's
 * credential expires.
 */
export interface ChangeStream extends AsyncIterableIterator<Change, undefined> {
  /** Delivers the pending changes, and then each change when it occurs. */
  readonly listen: (observer: Observer<Change>) => void;
  /** From then on, only `return` ends the stream; the caller's `signal` doesn't. */
  readonly ignoreSignal: () => void;
  readonly return: () => Promise<IteratorResult<Change, undefined>>;
}

interface ChangedRow {
  readonly key: Key;
  readonly row: ReadableRow;
}

/**
 * A change as this subscriber may see it. `current` is a row of the initial state. `left` means that an update took a
 * row out of the subscriber's view; only its key is sent. `reset` means that events were missed and the subscriber
 * must read again. Subscribers with the same view share one object.
 */
export type Change =
  | (ChangedRow & { readonly kind: ChangeKind; readonly id: string })
  | (ChangedRow & { readonly kind: "current" })
  | { readonly kind: "left"; readonly id: string; readonly key: Key }
  | { readonly kind: "reset"; readonly id: string };

export interface FailureOutcome {
  readonly kind: "failure";
  readonly error: BifocalError;
}
