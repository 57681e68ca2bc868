import type { InputForm, Key } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import type { Filter } from "./filter.ts";
import type { Page } from "./page.ts";
import type { Selection } from "./selection.ts";
import type { Sort } from "./sort.ts";

/**
 * What both styles and local calls lower into. Plain frozen data that knows no protocol: the engine cannot tell who
 * made it. `resource` is a name in the model; keys and filters are in stored form; inputs are as the caller gave them.
 */
export type Operation =
  | GetOperation
  | ListOperation
  | CreateOperation
  | ReplaceOperation
  | UpdateOperation
  | RemoveOperation
  | CreateManyOperation
  | UpdateManyOperation
  | RemoveManyOperation
  | LinkOperation
  | ActOperation
  | PermissionsOperation
  | WatchOperation;

export interface GetOperation extends OnceOnly {
  readonly kind: "get";
  readonly resource: string;
  readonly key: Key;
  readonly selection: Selection;
  /** The row is read for an update that is made from it, so no hooks run. FORBIDDEN if the caller can't read one of these fields. With `once`, the outcome is `nothing` if the update has been done before. */
  readonly toChange?: readonly string[];
}

export interface ListOperation {
  readonly kind: "list";
  readonly resource: string;
  readonly filter?: Filter;
  readonly sort: Sort;
  readonly page: Page;
  /** Count all rows that match. */
  readonly count?: boolean;
  readonly selection: Selection;
}

/** Asks for an operation to be done once only, however often it is run. */
export interface Once {
  /** The same for each try, of this caller alone. */
  readonly token: string;
  /** What was asked for: another one by the same token is VALIDATION_FAILED. */
  readonly fingerprint: string;
  /** When the token may be forgotten, in milliseconds since 1970. */
  readonly expires: number;
  /** The receipt of the operation, where it is known to have been done: it is answered again, and not done again. */
  readonly receipt?: Json;
  /** Takes the receipt of the operation once it is done. `isReplay`: it had been done before. */
  settle?(receipt: Json, isReplay: boolean): void;
}

/** An operation that can be done once only. */
export interface OnceOnly {
  readonly once?: Once;
}

/** What a write answers with. */
export interface Answered {
  readonly selection: Selection;
  /** Paths of the selection that the caller named: one that it may not read is FORBIDDEN, before anything is written. Absent: none, and what may not be read is left out. */
  readonly named?: readonly string[];
}

export interface CreateOperation extends Answered, OnceOnly {
  readonly kind: "create";
  readonly resource: string;
  readonly input: unknown;
  readonly form: InputForm;
  /** Create inside a to-many relation of this row: the row must be visible (else NOT_FOUND), and it decides the field that points at it. */
  readonly within?: { readonly resource: string; readonly key: Key; readonly relation: string };
}

export interface ReplaceOperation extends Answered, OnceOnly {
  readonly kind: "replace";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

export interface UpdateOperation extends Answered, OnceOnly {
  /** The version of the row that the input was made from: it is written only if the row still has that. No precondition of the caller's own. */
  readonly madeFrom?: string;
  readonly kind: "update";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

export interface RemoveOperation extends OnceOnly {
  readonly kind: "remove";
  readonly resource: string;
  readonly key: Key;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

/** Makes all rows, or none. */
export interface CreateManyOperation extends Answered, OnceOnly {
  readonly kind: "createMany";
  readonly resource: string;
  readonly inputs: readonly unknown[];
  readonly form: InputForm;
  readonly within?: CreateOperation["within"];
}

/** The same changes to every row that the caller sees and the filter matches; to all of them, or none. With a selection the rows are answered. */
export interface UpdateManyOperation extends Partial<Answered>, OnceOnly {
  readonly kind: "updateMany";
  readonly resource: string;
  /** Without one it would be all rows, so that is refused. */
  readonly filter: Filter | undefined;
  readonly input: unknown;
  readonly form: InputForm;
}

export interface RemoveManyOperation extends OnceOnly {
  readonly kind: "removeMany";
  readonly resource: string;
  readonly filter: Filter | undefined;
}

/**
 * Versions of which the row must have one (`ifMatch`, RFC 9110 §13.1.1) or none (`ifNoneMatch`, §13.1.2); `*`: any, so
 * that it must exist, or must not.
 */
export type Precondition = readonly string[] | "*";

export interface LinkOperation extends OnceOnly {
  readonly kind: "link" | "unlink";
  readonly resource: string;
  readonly key: Key;
  readonly relation: string;
  readonly target: Key;
  /** Further rows, in the same transaction. */
  readonly more?: readonly Key[];
  /** Of the source row, where the caller wants it back. */
  readonly selection?: Selection;
}

export interface ActOperation extends Answered, OnceOnly {
  readonly kind: "act";
  readonly resource: string;
  readonly action: string;
  /** Of an item action. */
  readonly key?: Key;
  /** Of the row of an item action. */
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
  readonly input?: unknown;
  readonly form: InputForm;
}

/** Asks what the caller may do, for those who show it; nothing is done by it. */
export interface PermissionsOperation {
  readonly kind: "permissions";
  readonly resource: string;
  /** Of one row; absent: of the resource. */
  readonly key?: Key;
}

export type ChangeKind = "created" | "updated" | "deleted";

export interface WatchOperation {
  readonly kind: "watch";
  readonly resource: string;
  readonly on: readonly ChangeKind[];
  readonly key?: Key;
  readonly filter?: Filter;
  /** Resume behind this event. */
  readonly after?: string;
  /** First the rows as they are, then their changes. They must be no more than a page may have. */
  readonly initial?: true;
  readonly selection: Selection;
}
