import type { InputForm, Key } from "../model/model.ts";
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
  | LinkOperation
  | ActOperation
  | WatchOperation;

export interface GetOperation {
  readonly kind: "get";
  readonly resource: string;
  readonly key: Key;
  readonly selection: Selection;
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

export interface CreateOperation {
  readonly kind: "create";
  readonly resource: string;
  readonly input: unknown;
  readonly form: InputForm;
  /** Create inside a to-many relation of this row: the row must be visible (else NOT_FOUND), and it decides the field that points at it. */
  readonly within?: { readonly resource: string; readonly key: Key; readonly relation: string };
  readonly selection: Selection;
}

export interface ReplaceOperation {
  readonly kind: "replace";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly selection: Selection;
}

export interface UpdateOperation {
  readonly kind: "update";
  readonly resource: string;
  readonly key: Key;
  readonly input: unknown;
  readonly form: InputForm;
  readonly ifMatch?: Precondition;
  readonly selection: Selection;
}

export interface RemoveOperation {
  readonly kind: "remove";
  readonly resource: string;
  readonly key: Key;
  readonly ifMatch?: Precondition;
}

/** Versions of which the row must have one (RFC 9110 §13.1.1); `*`: any, so it must exist. */
export type Precondition = readonly string[] | "*";

export interface LinkOperation {
  readonly kind: "link" | "unlink";
  readonly resource: string;
  readonly key: Key;
  readonly relation: string;
  readonly target: Key;
  /** Of the source row, where the caller wants it back. */
  readonly selection?: Selection;
}

export interface ActOperation {
  readonly kind: "act";
  readonly resource: string;
  readonly action: string;
  /** Of an item action. */
  readonly key?: Key;
  readonly input?: unknown;
  readonly form: InputForm;
  readonly selection: Selection;
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
  readonly selection: Selection;
}
