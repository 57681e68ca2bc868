import type { Json } from "../util/json.ts";
import type { LocalPage, PageRequest } from "./local-query.ts";
import type { AnyResource, TraitOf, TypesOf } from "./resource.ts";
import type { TypeMistake } from "./type-error.ts";

/** A recorded change of a row. */
export interface HistoryEntry<Field extends string = string> {
  readonly id: string;
  readonly at: string;
  /** The id of the caller, `system: ` and the reason of a system call, or null without a caller. */
  readonly by: string | null;
  readonly operation: "create" | "update" | "delete" | "restore";
  /** The action that made the change. */
  readonly action: string | null;
  /** The changed fields that the caller can read, with values in their JSON form. */
  readonly changes: readonly { readonly field: Field; readonly from: Json; readonly to: Json }[];
}

/** Conditions on entries. */
type EntryFilter = {
  readonly [K in "at" | "by" | "operation" | "action"]?: HistoryEntry[K] | { readonly [operator: string]: unknown };
};

export interface HistoryOptions {
  readonly filter?: EntryFilter;
  readonly page?: PageRequest;
  /** Whether to count all matching entries. Counting stops at `limits.query.count`. Default: false. */
  readonly count?: boolean;
  readonly signal?: AbortSignal;
}

type RecordedField<R extends AnyResource> = Exclude<keyof TypesOf<R>["row"], TraitOf<R, "internal">> & string;

/** The method that returns the history of a row, newest entry first. */
export type HistoryOf<R extends AnyResource, Id, Deleted> = [TraitOf<R, "records">] extends [never]
  ? TypeMistake<`'${R["name"]}' has no history. Set history: true in its definition.`>
  : (id: Id, options?: HistoryOptions & Deleted) => Promise<LocalPage<HistoryEntry<RecordedField<R>>>>;
