import type { Bus } from "../events/bus.ts";
import type { EventDraft } from "../events/change-event.ts";
import type { ChangeLog } from "../events/change-log.ts";
import type { Key, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import type { Precondition } from "../operation/operation.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { TextShape } from "../operation/text-shape.ts";
import type { Sort } from "../operation/sort.ts";
import type { Json } from "../util/json.ts";
import type { SchemaTools } from "./schema-tools.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

export type { MaybePromise };

/** What a store can do. What it lacks the engine does itself, or refuses at start. */
export interface StoreCapabilities {
  /** `transaction` isolates and rolls back. Without it a write of several steps can stop half way. Default false. */
  readonly transactions: boolean;
  /** Filters along relations between resources of this same store. Without it the engine reads the related keys first. */
  readonly relationFilters: boolean;
  /** Sorting along a to-one relation of this same store. Without it such a sort is BAD_REQUEST. */
  readonly relationSort: boolean;
  /** `listPer` answers for many parents in one call. Without it the engine calls `list` once a parent. */
  readonly listPer: boolean;
  /** Many-to-many links, which are read by `listPer`. Without both such relations are refused at start. */
  readonly links: boolean;
  /** Keeps receipts (`readReceipt`, `writeReceipt`) within its transactions. Default false. */
  readonly receipts?: boolean;
  /** Keeps what is committed in a log (`appendChanges`, `changeLog`). Without it the engine keeps the last changes in memory. */
  readonly changes?: boolean;
  /** Creates, updates and removes. Without it `create`, `update` and `delete` answer METHOD_NOT_ALLOWED. */
  readonly writes: boolean;
}

/** Aborts reach the store; a store that can cancel its work does. */
export interface StoreContext {
  readonly signal: AbortSignal | undefined;
  /** Whether the time is over, for a store that does not wait for anything: without it `signal` says so, and costs more. */
  readonly isOver?: boolean;
}

/** Throws why an operation was given up, if it was. */
export function throwIfOver(context: StoreContext): void {
  if (context.isOver ?? context.signal?.aborted ?? false) context.signal?.throwIfAborted();
}

/** A place in a list: the values of the sort terms of one row, in order. */
export type Position = readonly Json[];

export interface KeysQuery {
  readonly resource: ResourceModel;
  /** Distinct. */
  readonly keys: readonly Key[];
  readonly filter?: Filter | undefined;
  /** Fields that are looked at, the key among them; a store may answer more. Default: all. */
  readonly fields?: ReadonlySet<string> | undefined;
}

export interface ListQuery {
  readonly resource: ResourceModel;
  readonly filter?: Filter | undefined;
  /** Total: the key is among its terms. */
  readonly sort: Sort;
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Only rows behind this place. */
  readonly after?: Position | undefined;
  /** Only rows before this place. */
  readonly before?: Position | undefined;
  /** The last `limit` rows of the range, still in the order of `sort`. */
  readonly fromEnd?: boolean | undefined;
  /** Count all rows that match the filter, whatever the page. */
  readonly count?: boolean | undefined;
  /** Counting ends here: a larger total is this number. Default: all are counted. */
  readonly countMost?: number | undefined;
  /** Fields that are looked at, the key and the sort's own among them; a store may answer more. Default: all. */
  readonly fields?: ReadonlySet<string> | undefined;
}

export interface StorePage {
  readonly rows: readonly Row[];
  /** There are rows of the range beyond these, on the far side from where it starts. */
  readonly more: boolean;
  /** Where counting was asked for. */
  readonly total?: number | undefined;
  /** The place of the row at this index; needed only where a sort term goes along a relation. */
  readonly position?: ((index: number) => Position) | undefined;
}

/** A list whose rows are wanted as text, with all that is selected beneath them. */
export interface TextQuery extends ListQuery {
  readonly shape: TextShape;
  /** By `as` of the shape. */
  readonly related: ReadonlyMap<string, RelatedTextQuery>;
}

/** The rows of a relation, for each row above. */
export interface RelatedTextQuery extends Omit<ListQuery, "count" | "countMost" | "fields"> {
  readonly relation: RelationModel;
  /** It leads back to the row above the one above. */
  readonly goesBack: boolean;
  readonly related: TextQuery["related"];
}

/** As `StorePage`, with the text of each row in the place of its values; `position` tells its place in the list. */
export interface TextPage extends Omit<StorePage, "rows" | "position"> {
  readonly texts: readonly string[];
  readonly position: (index: number) => Position;
}

/** For each parent the page of its related rows. */
export interface PerParentQuery extends ListQuery {
  readonly relation: RelationModel;
  /** Distinct values of the parents' `relation.local`, none null. */
  readonly parents: readonly (string | number)[];
}

export interface InsertCommand {
  readonly resource: ResourceModel;
  /** Whole rows; a field counted by the store (`sequence()`, and `resource.version`, which starts at 1) is absent. */
  readonly rows: readonly Row[];
}

export interface UpdateCommand {
  readonly resource: ResourceModel;
  readonly key: Key;
  /** Where it is not empty, `resource.version` is raised by one in the same step. */
  readonly set: Row;
  /** The row as it is must match, in the same step as the write. */
  readonly where?: Filter | undefined;
  /** The row as it becomes must match; else nothing is written and the answer is `refused`. */
  readonly check?: Filter | undefined;
  readonly ifMatch?: Precondition | undefined;
}

export interface RemoveCommand {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly where?: Filter | undefined;
  readonly ifMatch?: Precondition | undefined;
}

/** `absent`: no row with this key that matches `where`. `stale`: `ifMatch` failed. `refused`: `check` failed. */
export type WriteResult =
  | { readonly kind: "done"; readonly before: Row; readonly after: Row }
  | { readonly kind: "absent" | "stale" | "refused" };

export type RemoveResult = { readonly kind: "done"; readonly before: Row } | { readonly kind: "absent" | "stale" };

export interface LinkCommand {
  readonly relation: RelationModel;
  /** Values of `relation.local` of the source, and of `relation.foreign` of the target. */
  readonly from: string | number;
  readonly to: string | number;
}

/**
 * A driver for data. Rows go in and come out in stored form and are never mutated by either side. A row that is frozen,
 * with everything within, may be answered by the same object again: its text is then made once. Throws
 * `StoreConflict` when a key or a `unique` group is taken, `BifocalError("UNAVAILABLE")` when the data is out of reach.
 */
export interface Store {
  readonly capabilities: StoreCapabilities;
  /** What of `capabilities.writes` a resource has. Asked before `open`. Default: all of it. */
  writesOf?(resource: ResourceModel): StoreWrites;
  /** Called before anything else, with the resources that this store holds; and again, with the same, after it failed. */
  open(model: Model, resources: readonly ResourceModel[]): MaybePromise<void>;
  byKeys(query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]>;
  list(query: ListQuery, context: StoreContext): MaybePromise<StorePage>;
  /** One page for each parent, in the order of `parents`. */
  listPer(query: PerParentQuery, context: StoreContext): MaybePromise<readonly StorePage[]>;
  /**
   * The same as `list` with everything beneath, as text, to the byte as it would be written from the rows. `undefined`
   * where the store does not make such text, or holds reading row by row for better: then it is asked for rows.
   */
  listTexts?(query: TextQuery, context: StoreContext): MaybePromise<TextPage | undefined>;
  insert(command: InsertCommand, context: StoreContext): MaybePromise<readonly Row[]>;
  update(command: UpdateCommand, context: StoreContext): MaybePromise<WriteResult>;
  remove(command: RemoveCommand, context: StoreContext): MaybePromise<RemoveResult>;
  /** False where the link was there already. */
  link(command: LinkCommand, context: StoreContext): MaybePromise<boolean>;
  /** False where there was none. */
  unlink(command: LinkCommand, context: StoreContext): MaybePromise<boolean>;
  /** Runs `work` with a store whose changes all happen, or, where it throws, none. Writers wait for each other. */
  transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T>;
  /** The receipt of this token, unless it has expired. */
  readReceipt?(token: string, context: StoreContext): MaybePromise<Receipt | undefined>;
  /** Committed with the transaction, or not at all. */
  writeReceipt?(receipt: Receipt, context: StoreContext): MaybePromise<void>;
  /** Writes what happened to the log: committed with the transaction, or not at all; outside of one, at once. */
  appendChanges?(drafts: readonly EventDraft[], context: StoreContext): MaybePromise<void>;
  /** Where `capabilities.changes`: what was appended and committed, in one order. Used once the store is open. */
  readonly changeLog?: ChangeLog;
  /** What tells other instances that the log has grown, where the application gives no bus. Closed with the API. */
  readonly bus?: Bus;
  /** For `bifocal db`: where its tables can be compared with the model, and changed. */
  readonly "~schema"?: SchemaTools;
  /** How much waits for it at the moment; an overloaded API refuses what is new. Asked with each request. */
  load?(): StoreLoad;
  close?(): MaybePromise<void>;
}

/** What waits for a connection of a store. */
export interface StoreLoad {
  readonly waiting: number;
  /** Milliseconds that the first of them has waited. */
  readonly longest: number;
}

/** That an operation was done, kept with what it did. */
export interface Receipt {
  readonly token: string;
  readonly fingerprint: string;
  readonly value: Json;
  /** Milliseconds since 1970; afterwards it may be forgotten. */
  readonly expires: number;
}
