import type { Bus } from "../events/bus.ts";
import type { EventDraft } from "../events/change-event.ts";
import type { DefinitionMistake } from "../errors/definition-error.ts";
import type { Warning } from "../errors/warning.ts";
import type { ChangeLog } from "../events/change-log.ts";
import type { Key, Model, RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { GroupTerm } from "../model/measure.ts";
import type { Filter, RelatedValue } from "../operation/filter.ts";
import type { Precondition } from "../operation/operation.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { TextShape } from "../operation/text-shape.ts";
import type { Sort } from "../operation/sort.ts";
import type { Json } from "../util/json.ts";
import type { SchemaTools } from "./schema-tools.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

export type { MaybePromise };

/**
 * The capabilities of a store. The engine replaces a missing capability itself, or rejects the definition at start.
 */
export interface StoreCapabilities {
  /** `transaction` isolates and rolls back. Without it, a write of several steps can stop halfway. Default false. */
  readonly transactions: boolean;
  /** Filters on related resources in the same store. Without it, the engine first reads the related keys. */
  readonly relationFilters: boolean;
  /** Sorts by fields of a to-one relation in the same store. Without it, such a sort fails with BAD_REQUEST. */
  readonly relationSort: boolean;
  /** `listPer` returns the lists of many parents in one call. Without it, the engine calls `list` for each parent. */
  readonly listPer: boolean;
  /**
   * Conditions that a field has a word (`hasWord`, `hasWordStart`), and sorts by `score`. Without it, resources with
   * `search` are rejected at start. Default false.
   */
  readonly search?: boolean;
  /** Many-to-many links, which `listPer` reads. Without both, such relations are rejected at start. */
  readonly links: boolean;
  /**
   * Values that are computed from related rows in the same store, in filters, sorts and rows. Without it, the engine
   * computes them for the rows of a page, and such filters and sorts fail with BAD_REQUEST. Default false.
   */
  readonly relatedValues?: boolean;
  /**
   * Groups rows by fields of a to-one relation in the same store (`relation` in group terms). Without it, such an
   * aggregate fails with BAD_REQUEST. Default false.
   */
  readonly relatedGroups?: boolean;
  /** Stores receipts (`readReceipt`, `writeReceipt`) within its transactions. Default false. */
  readonly receipts?: boolean;
  /**
   * Stores committed changes in a log (`appendChanges`, `changeLog`). Without it, the engine keeps the last changes in
   * memory.
   */
  readonly changes?: boolean;
  /**
   * Supports inserts, updates and deletions. Without it, `create`, `update` and `delete` fail with METHOD_NOT_ALLOWED.
   */
  readonly writes: boolean;
}

/** Carries the abort signal to the store. Stores that can cancel their work use it. */
export interface StoreContext {
  readonly signal: AbortSignal | undefined;
  /** Whether the deadline has passed, for a store that never waits. Reading `signal` instead costs more. */
  readonly isOver?: boolean;
  /**
   * The tenants whose rows the statement may reach, for a store that limits them by itself as well. Absent if no resource
   * limits its rows.
   */
  readonly tenants?: StatementTenants | undefined;
}

export type Tenant = string | number;

/** `all`: rows of every tenant, for system code. `none`: the caller belongs to no tenant. */
export type TenantReach = { readonly tenant: Tenant } | "all" | "none";

export interface StatementTenants {
  readonly reachOf: (resource: ResourceModel) => TenantReach;
}

/** Throws the reason if the operation was aborted. */
export function throwIfOver(context: StoreContext): void {
  if (context.isOver ?? context.signal?.aborted ?? false) context.signal?.throwIfAborted();
}

/** A position in a list: the values of a row's sort terms, in order. */
export type Position = readonly Json[];

/** A value to add to each row under this name: a number for `number` fields, and for other sums exact text. */
export interface NamedRelatedValue extends RelatedValue {
  readonly name: string;
}

export interface KeysQuery {
  readonly resource: ResourceModel;
  /** Distinct keys. */
  readonly keys: readonly Key[];
  readonly filter?: Filter | undefined;
  /** The fields that are needed, including the key. A store may return more. Default: all. */
  readonly fields?: ReadonlySet<string> | undefined;
  readonly relatedValues?: readonly NamedRelatedValue[] | undefined;
}

/** The rows to lock, by their distinct keys. */
export type LockQuery = Pick<KeysQuery, "resource" | "keys">;

export interface ListQuery {
  readonly resource: ResourceModel;
  readonly filter?: Filter | undefined;
  /** A total order, because the key is among its terms. */
  readonly sort: Sort;
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Only rows after this position. */
  readonly after?: Position | undefined;
  /** Only rows before this position. */
  readonly before?: Position | undefined;
  /** Returns the last `limit` rows of the range, still in the order of `sort`. */
  readonly fromEnd?: boolean | undefined;
  /** Whether to count all rows that match the filter, regardless of the page. */
  readonly count?: boolean | undefined;
  /** Counting stops at this number, which is then the total. Default: no limit. */
  readonly countMost?: number | undefined;
  /** The fields that are needed, including the key and those of the sort. A store may return more. Default: all. */
  readonly fields?: ReadonlySet<string> | undefined;
  readonly relatedValues?: readonly NamedRelatedValue[] | undefined;
}

export interface StorePage {
  readonly rows: readonly Row[];
  /** Whether the range has further rows at its far end. */
  readonly more: boolean;
  /** Set if the query requested it. */
  readonly total?: number | undefined;
  /** Returns the position of the row at this index. Only required if a sort term follows a relation. */
  readonly position?: ((index: number) => Position) | undefined;
}

/** A list whose rows are requested as text, including everything selected below them. */
export interface TextQuery extends ListQuery {
  readonly shape: TextShape;
  /** By `as` of the shape. */
  readonly related: ReadonlyMap<string, RelatedTextQuery>;
}

/** The rows of a relation, for each row of the enclosing list. */
export interface RelatedTextQuery extends Omit<ListQuery, "count" | "countMost" | "fields"> {
  readonly relation: RelationModel;
  /** True if the relation leads back to the row that contains the enclosing list. */
  readonly goesBack: boolean;
  readonly related: TextQuery["related"];
}

/** Like `StorePage`, with the text of each row instead of its values. `position` returns its position in the list. */
export interface TextPage extends Omit<StorePage, "rows" | "position"> {
  readonly texts: readonly string[];
  readonly position: (index: number) => Position;
}

/** Reads a page of related rows for each parent. */
export interface PerParentQuery extends ListQuery {
  readonly relation: RelationModel;
  /** Distinct values of the parents' `relation.local`, without missing ones. A list each if it has several fields. */
  readonly parents: readonly Key[];
}

/**
 * A value that a store computes from the rows of a group. `rows`: their number. `values`: the number of those with a
 * value. The others ignore missing values; without any value, they are null. `sum` is a number for `number` fields, and
 * otherwise the exact sum as text.
 */
export type StoreMeasure =
  | { readonly kind: "rows"; readonly field?: never }
  | { readonly kind: "values" | "sum" | "min" | "max"; readonly field: string };

/** A field by whose value rows are grouped: of the row itself, or of the row that a to-one relation leads to. */
export interface StoreGroupTerm extends Omit<GroupTerm, "relation"> {
  /** Without a related row, the value is missing. */
  readonly relation?: RelationModel;
  /** A related row that doesn't match counts as missing. */
  readonly filter?: Filter | undefined;
}

export interface AggregateQuery {
  readonly resource: ResourceModel;
  readonly filter?: Filter | undefined;
  /** Without terms, all rows are one group, which exists even if no row matches. */
  readonly groupBy: readonly StoreGroupTerm[];
  readonly measures: readonly StoreMeasure[];
  /** The maximum number of groups. If there are more, any of them are returned. */
  readonly limit: number;
}

/** The values of the group terms and of the measures, in the order of the query and in stored form. */
export interface StoreGroup {
  readonly keys: readonly Json[];
  readonly values: readonly Json[];
}

export interface StoreGroups {
  /** In any order. */
  readonly groups: readonly StoreGroup[];
  /** Whether there are more groups than the limit. */
  readonly more: boolean;
}

/** Groups the related rows of each parent. `limit` applies to the groups of all parents together. */
export interface PerParentAggregateQuery extends AggregateQuery {
  readonly relation: RelationModel;
  /** As in `PerParentQuery`. */
  readonly parents: readonly Key[];
}

export interface ParentGroups {
  /** In the order of `parents`. Incomplete if `more` is true. */
  readonly groups: readonly (readonly StoreGroup[])[];
  readonly more: boolean;
}

export interface InsertCommand {
  readonly resource: ResourceModel;
  /**
   * Complete rows, except for fields that the store generates (`sequence()`, and `resource.version`, which starts at
   * 1). The store may keep these objects and freeze them.
   */
  readonly rows: readonly Row[];
}

/** An insert with everything that must be committed together with it. */
export interface InsertAtOnceCommand extends InsertCommand {
  /** Rows that must exist. The keys are distinct. */
  readonly references: readonly KeysQuery[];
  /** The fields of each row in its `created` change in the log. Undefined if changes of the resource aren't logged. */
  readonly logged: readonly string[] | undefined;
  /** A receipt to write. Its value is the key of the row, or a list of all keys if `isBatch` is true. */
  readonly receipt?: (Omit<Receipt, "value"> & { readonly isBatch: boolean }) | undefined;
}

export interface UpdateCommand {
  readonly resource: ResourceModel;
  readonly key: Key;
  /** If it isn't empty, `resource.version` is incremented in the same step. */
  readonly set: Row;
  /** The row before the update must match, in the same step as the write. */
  readonly where?: Filter | undefined;
  /** The row after the update must match; otherwise nothing is written and the result is `refused`. */
  readonly check?: Filter | undefined;
  readonly ifMatch?: Precondition | undefined;
}

export interface DeleteCommand {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly where?: Filter | undefined;
  readonly ifMatch?: Precondition | undefined;
}

/**
 * `absent`: there is no row with this key that matches `where`. `stale`: `ifMatch` failed. `refused`: `check` failed.
 */
export type WriteResult =
  | { readonly kind: "done"; readonly before: Row; readonly after: Row }
  | { readonly kind: "absent" | "stale" | "refused" };

export type DeleteResult = { readonly kind: "done"; readonly before: Row } | { readonly kind: "absent" | "stale" };

export interface LinkCommand {
  readonly relation: RelationModel;
  /** Values of `relation.local` of the source and `relation.foreign` of the target. A list if it has several fields. */
  readonly from: Key;
  readonly to: Key;
}

/**
 * A driver for data. Rows are passed and returned in stored form, and neither side mutates them. A store may return the
 * same deeply frozen row object again, whose text the engine then caches. Throws `StoreConflict` if a key or `unique`
 * group is already used, and `BifocalError("UNAVAILABLE")` if the data is unreachable.
 */
export interface Store {
  readonly capabilities: StoreCapabilities;
  /** The writes that a resource supports, if `capabilities.writes` is true. Called before `open`. Default: all. */
  writesOf?(resource: ResourceModel): StoreWrites;
  /** Called first, with the resources that this store holds. Called again with the same arguments if it fails. */
  open(model: Model, resources: readonly ResourceModel[]): MaybePromise<void>;
  byKeys(query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]>;
  list(query: ListQuery, context: StoreContext): MaybePromise<StorePage>;
  /** Returns one page for each parent, in the order of `parents`. */
  listPer(query: PerParentQuery, context: StoreContext): MaybePromise<readonly StorePage[]>;
  /**
   * Groups rows and computes values of each group, in one statement. Without this method, the engine reads the rows and
   * groups them itself, up to a limit.
   */
  aggregate?(query: AggregateQuery, context: StoreContext): MaybePromise<StoreGroups>;
  /** Does the same with the related rows of each parent, in one statement for all parents. */
  aggregatePer?(query: PerParentAggregateQuery, context: StoreContext): MaybePromise<ParentGroups>;
  /**
   * Like `list` with everything selected below it, as text, byte for byte as it would be written from the rows. Returns
   * `undefined` if the store doesn't produce such text or reads rows faster; the engine then requests rows.
   */
  listTexts?(query: TextQuery, context: StoreContext): MaybePromise<TextPage | undefined>;
  /**
   * Whether a command runs at once, because the store is synchronous and no transaction is running. Absent if it never
   * does.
   */
  isFree?(): boolean;
  insert(command: InsertCommand, context: StoreContext): MaybePromise<readonly Row[]>;
  /**
   * Inserts rows, logs them and writes a receipt, all or nothing, with as few round trips as possible. Returns
   * `undefined` and writes nothing if a reference is missing. If it fails because the token of the receipt is already
   * used, the error is a `StoreConflict`. Without this method, the engine calls `transaction` and does each step in it.
   */
  insertAtOnce?(command: InsertAtOnceCommand, context: StoreContext): MaybePromise<readonly Row[] | undefined>;
  /**
   * Locks rows until the transaction ends, so that others can't add rows that reference them. Only called within a
   * transaction. Absent if a read in a transaction already does that, or if only one transaction at a time writes.
   */
  lock?(query: LockQuery, context: StoreContext): MaybePromise<void>;
  update(command: UpdateCommand, context: StoreContext): MaybePromise<WriteResult>;
  delete(command: DeleteCommand, context: StoreContext): MaybePromise<DeleteResult>;
  /** Returns false if the link already existed. */
  link(command: LinkCommand, context: StoreContext): MaybePromise<boolean>;
  /** Returns false if the link did not exist. */
  unlink(command: LinkCommand, context: StoreContext): MaybePromise<boolean>;
  /**
   * Runs `work` with a store whose changes are all committed or, if `work` throws, all rolled back. Writers wait for
   * each other.
   */
  transaction<T>(work: (store: Store) => Promise<T>, context: StoreContext): Promise<T>;
  /** Returns the receipt of this token, unless it has expired. */
  readReceipt?(token: string, context: StoreContext): MaybePromise<Receipt | undefined>;
  /** Writes a receipt, which is committed together with the transaction. */
  writeReceipt?(receipt: Receipt, context: StoreContext): MaybePromise<void>;
  /**
   * Writes changes to the log. They are committed together with the transaction, or at once if there is no transaction.
   */
  appendChanges?(drafts: readonly EventDraft[], context: StoreContext): MaybePromise<void>;
  /** The committed changes in a single order, if `capabilities.changes` is true. Used after the store is open. */
  readonly changeLog?: ChangeLog;
  /** Notifies other instances that the log has grown, if the application sets no bus. Closed together with the API. */
  readonly bus?: Bus;
  /** Returns warnings about what these resources can't have in this store, for the log at start. Default: none. */
  readonly warnings?: (resources: readonly ResourceModel[]) => readonly Warning[];
  /**
   * Returns the mistakes in the options of the store, which opening it again wouldn't repair. `defineApi` throws them.
   * Default: none.
   */
  readonly mistakes?: (model: Model, resources: readonly ResourceModel[]) => readonly DefinitionMistake[];
  /** For `bifocal db`: compares the tables with the model and changes them. */
  readonly "~schema"?: SchemaTools;
  /**
   * Returns how many operations are waiting for the store. The API rejects new requests if it is overloaded. Called on
   * each request.
   */
  load?(): StoreLoad;
  close?(): MaybePromise<void>;
}

/** The operations that wait for a connection of a store. */
export interface StoreLoad {
  readonly waiting: number;
  /** Milliseconds that the first operation has waited. */
  readonly longest: number;
}

/** A record that an operation was done, with its result. */
export interface Receipt {
  readonly token: string;
  readonly fingerprint: string;
  readonly value: Json;
  /** Milliseconds since 1970. After this time it can be deleted. */
  readonly expires: number;
}
