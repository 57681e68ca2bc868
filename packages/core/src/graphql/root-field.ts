import type { FieldNode } from "graphql";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Document } from "./lower/document.ts";

export type Arguments = Readonly<Record<string, unknown>>;
export type RootOutcome = Exclude<Outcome, { kind: "failure" }>;

/** The meaning of a derived root field. Both executors use it: graphql-js through a resolver, and compiled plans. */
export interface RootField<Selected = unknown> {
  /** Lowers the whole selection of the field. */
  readonly select: (nodes: readonly FieldNode[], document: Document) => Selected;
  /** Returns undefined if the result is empty without running an operation. Throws BAD_REQUEST and similar errors. */
  readonly lower: (args: Arguments, selected: Selected) => Operation | undefined;
  /** Returns the value of the field, for the types beneath it. */
  readonly read: (answer: RootOutcome, args: Arguments) => unknown;
  /** Whether a missing row is `null` instead of an error. */
  readonly isNullable?: boolean;
}

/** Keyed by the resolver in the schema. A host that replaces the resolver takes over the field. */
const ROOTS = new WeakMap<object, RootField>();

export function registerRoot<Selected>(resolve: object, root: RootField<Selected>): void {
  ROOTS.set(resolve, root as RootField);
}

export function rootOf(resolve: object | undefined): RootField | undefined {
  return resolve === undefined ? undefined : ROOTS.get(resolve);
}

/** Returns the value of a root field. Throws the error of a failure. */
export function readOutcome(root: RootField, outcome: Outcome, args: Arguments): unknown {
  if (outcome.kind !== "failure") return root.read(outcome, args);
  if (root.isNullable === true && outcome.error.code === "NOT_FOUND") return null;
  throw outcome.error;
}
