import type { FieldNode } from "graphql";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Document } from "./lower/document.ts";

export type Arguments = Readonly<Record<string, unknown>>;
export type Answer = Exclude<Outcome, { kind: "failure" }>;

/** What a derived root field means. Whoever executes the document asks it: graphql-js through a resolver, or a plan. */
export interface RootField<Selected = unknown> {
  /** What the field selects, in one piece. */
  readonly select: (nodes: readonly FieldNode[], document: Document) => Selected;
  /** Undefined where no operation is needed to know that there is nothing. Throws BAD_REQUEST and its like. */
  readonly lower: (args: Arguments, selected: Selected) => Operation | undefined;
  /** The value of the field, for the types beneath it. */
  readonly read: (answer: Answer, args: Arguments) => unknown;
  /** Whether a row that is not there is `null` instead of an error. */
  readonly isNullable?: boolean;
}

/** By the function that stands in the schema: who puts another one in its place takes over the field. */
const ROOTS = new WeakMap<object, RootField>();

export function registerRoot<Selected>(resolve: object, root: RootField<Selected>): void {
  ROOTS.set(resolve, root as RootField);
}

export function rootOf(resolve: object | undefined): RootField | undefined {
  return resolve === undefined ? undefined : ROOTS.get(resolve);
}

/** The value of a root field; throws the error of a failure. */
export function readOutcome(root: RootField, outcome: Outcome, args: Arguments): unknown {
  if (outcome.kind !== "failure") return root.read(outcome, args);
  if (root.isNullable === true && outcome.error.code === "NOT_FOUND") return null;
  throw outcome.error;
}

/** The engine answers each kind of operation with its own kinds of outcome; another is a bug of ours. */
export function unexpected(outcome: Outcome): never {
  throw new Error(`Internal error: the engine returned an unexpected outcome '${outcome.kind}'.`);
}
