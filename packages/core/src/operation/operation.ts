import type { InputForm, Key } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import type { Aggregation } from "./aggregation.ts";
import type { Count } from "./count.ts";
import type { DeletedRows } from "./deleted-rows.ts";
import type { Filter } from "./filter.ts";
import type { Page } from "./page.ts";
import type { RowCondition } from "./row-condition.ts";
import type { Search } from "./search.ts";
import type { Selection } from "./selection.ts";
import type { Sort } from "./sort.ts";

/**
 * The common form into which REST, GraphQL and local calls lower their requests: frozen plain data without any trace of
 * the protocol. `resource` is a name in the model. Keys and filters are in stored form. Inputs are unchanged.
 */
export type Operation =
  | GetOperation
  | ListOperation
  | AggregateOperation
  | CreateOperation
  | ReplaceOperation
  | UpdateOperation
  | DeleteOperation
  | CreateManyOperation
  | UpdateManyOperation
  | DeleteManyOperation
  | LinkOperation
  | ActOperation
  | QueryOperation
  | PermissionsOperation
  | WatchOperation;

/** The parts of its rows that an operation returns. */
export interface Selected {
  readonly selection: Selection;
  /**
   * Paths of the selection that the request names: `title`, `author.name`. FORBIDDEN if the caller can't read one of them, before
   * anything is written. Hidden fields and relations that aren't named are omitted.
   */
  readonly named?: readonly string[];
}

export interface GetOperation extends Selected, Idempotent {
  readonly kind: "get";
  readonly resource: string;
  readonly key: Key;
  /**
   * The relation of the row that the request is for. FORBIDDEN or UNAUTHENTICATED if the caller can't read it. The paths in
   * `named` start below it.
   */
  readonly relation?: string;
  /**
   * Set if the row is read to compute an update from it, so no hooks run. Fails with FORBIDDEN if the caller can't read
   * one of these fields. With `once`, the outcome is `nothing` if the update was already done.
   */
  readonly toChange?: readonly string[];
  /** Also reads a soft-deleted row, or `only` such a row. */
  readonly deleted?: DeletedRows;
}

export interface ListOperation extends Selected {
  readonly kind: "list";
  readonly resource: string;
  /** Only rows that this query finds, in its order unless there is a sort. */
  readonly query?: QueryCall;
  readonly filter?: Filter;
  /** The rows must also match a search. Without a sort, they are in the order of relevance. */
  readonly search?: Search;
  readonly sort: Sort;
  readonly page: Page;
  /** Whether to count all matching rows. */
  readonly count?: Count;
  /** Also reads soft-deleted rows, or `only` these. */
  readonly deleted?: DeletedRows;
}

/** A call of a query that the resource defines. */
export interface QueryCall {
  readonly name: string;
  /** Set for a query on one row. */
  readonly key?: Key;
  readonly input?: unknown;
  readonly form: InputForm;
}

/** Returns the value of a query with an `output`. */
export interface QueryOperation {
  readonly kind: "query";
  readonly resource: string;
  readonly query: QueryCall;
}

/** Computes values from groups of rows. */
export interface AggregateOperation extends Aggregation, RowCondition {
  readonly kind: "aggregate";
  readonly resource: string;
}

/** Makes an operation take effect only once, however often it runs. */
export interface Idempotency {
  /** Identifies the operation for this caller. Each retry has the same token. */
  readonly token: string;
  /** Identifies the content of the operation. Another operation with the same token fails with VALIDATION_FAILED. */
  readonly fingerprint: string;
  /** When the token can be deleted, in milliseconds since 1970. */
  readonly expires: number;
  /**
   * The receipt, if the operation is known to be done. Its result is then returned again instead of a second write.
   */
  readonly receipt?: Json;
  /** Receives the receipt when the operation is done. `isReplay` is true if it was done before. */
  settle?(receipt: Json, isReplay: boolean): void;
}

/** An operation that can be made to take effect only once. */
export interface Idempotent {
  readonly idempotency?: Idempotency;
}

export interface CreateOperation extends Selected, Idempotent {
  readonly kind: "create";
  readonly resource: string;
  readonly input: unknown;
  readonly form: InputForm;
  /**
   * Creates the row inside a to-many relation of this row, which must be visible (otherwise NOT_FOUND). It sets the
   * field that references it.
   */
  readonly within?: { readonly resource: string; readonly key: Key; readonly relation: string };
}

export interface ReplaceOperation extends Selected, Idempotent {
  readonly kind: "replace";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

export interface UpdateOperation extends Selected, Idempotent {
  /**
   * The version of the row from which the input was computed. The row is only written if it still has this version.
   * Unlike `ifMatch`, it isn't set by the client.
   */
  readonly madeFrom?: string;
  readonly kind: "update";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

export interface DeleteOperation extends Idempotent {
  readonly kind: "delete";
  readonly resource: string;
  readonly key: Key;
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}

/** Creates all rows or none. */
export interface CreateManyOperation extends Selected, Idempotent {
  readonly kind: "createMany";
  readonly resource: string;
  readonly inputs: readonly unknown[];
  readonly form: InputForm;
  readonly within?: CreateOperation["within"];
}

/**
 * Applies the same changes to every row that matches the condition and is visible to the caller, or to none. Without a
 * condition, the update is rejected, because it would change all rows. With a selection, the rows are returned.
 */
export interface UpdateManyOperation extends RowCondition, Partial<Selected>, Idempotent {
  readonly kind: "updateMany";
  readonly resource: string;
  readonly input: unknown;
  readonly form: InputForm;
  /** The versions of the rows: one entry for each. */
  readonly ifMatch?: Precondition;
}

export interface DeleteManyOperation extends RowCondition, Idempotent {
  readonly kind: "deleteMany";
  readonly resource: string;
  /** The versions of the rows: one entry for each. */
  readonly ifMatch?: Precondition;
}

/**
 * The row must have one of these versions (`ifMatch`, RFC 9110 §13.1.1) or must not have any of them (`ifNoneMatch`,
 * §13.1.2). `*` means any version, so the row must or must not exist.
 */
export type Precondition = readonly string[] | "*";

export interface LinkOperation extends Idempotent {
  readonly kind: "link" | "unlink";
  readonly resource: string;
  readonly key: Key;
  readonly relation: string;
  readonly target: Key;
  /** Further target rows, linked in the same transaction. */
  readonly more?: readonly Key[];
  /** Selection on the source row, if the caller requests it. */
  readonly selection?: Selection;
}

export interface ActOperation extends Selected, Idempotent {
  readonly kind: "act";
  readonly resource: string;
  readonly action: string;
  /** Set for an item action. */
  readonly key?: Key;
  /** Preconditions on the row of an item action. */
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
  readonly input?: unknown;
  readonly form: InputForm;
}

/** Returns what the caller is allowed to do, for user interfaces. Has no effect. */
export interface PermissionsOperation {
  readonly kind: "permissions";
  readonly resource: string;
  /** The row to check; absent: the resource. */
  readonly key?: Key;
}

export type ChangeKind = "created" | "updated" | "deleted";

export interface WatchOperation extends Selected {
  readonly kind: "watch";
  readonly resource: string;
  readonly on: readonly ChangeKind[];
  readonly key?: Key;
  readonly filter?: Filter;
  /** Resumes after this event. */
  readonly after?: string;
  /** Sends the current rows first and then their changes. The rows must fit into one page of maximum size. */
  readonly initial?: true;
}
