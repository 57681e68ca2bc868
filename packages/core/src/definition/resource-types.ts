import type { Simplify } from "../util/simplify.ts";
import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";
import type { InputOf, RowOf } from "./fields.ts";
import type { Pluck, Without } from "./pick-keys.ts";
import type { OperationName, StyleOperations } from "./operation-names.ts";
import type { RelationShape } from "./relations.ts";
import type { allow } from "./rules.ts";
import type { ComputedValue } from "./computed-value.ts";
import type { ConfigTypes, HistoryConfig } from "./config-types.ts";

/** An action or a query as a caller sees it. `input` and `output` are absent without a schema. */
export interface ActionShape {
  readonly on: "item" | "collection";
  readonly input?: unknown;
  readonly output?: unknown;
}

/**
 * The types of a resource, in plain words: editors show them. A property is absent if the definition doesn't set it.
 */
export interface ResourceTypes {
  /** A row, with its internal fields. */
  readonly row: object;
  /** The fields of an input that creates a row. */
  readonly input: object;
  /** The values of computed fields. */
  readonly computed?: object;
  /** Absent if the key is `id`. */
  readonly key?: string | readonly string[];
  readonly relations?: RelationShape;
  readonly filterable?: string;
  readonly sortable?: string;
  readonly aggregatable?: string;
  readonly groupable?: string;
  readonly internal?: string;
  readonly immutable?: string;
  readonly actions?: Readonly<Record<string, ActionShape>>;
  /** The operations that each style offers. Absent if both offer all of them. */
  readonly offers?: { readonly rest: string; readonly graphql: string };
  /** Without `output`, a query returns rows. */
  readonly queries?: Readonly<Record<string, ActionShape>>;
  /** True if deletions keep the rows, so that they can be restored. */
  readonly restores?: true;
  /** True if changes of its rows are recorded. */
  readonly records?: true;
  /** True if callers can search the rows. */
  readonly searches?: true;
  /** True if rows can be hidden from callers, because `access.read` isn't `allow`. */
  readonly hides?: true;
}

/** Resolves the types of a definition. */
export type ResolveTypes<T extends ConfigTypes> = WithNames<AllTypes<T>, SetNames<T>>;

/** All types of a definition. Those that it doesn't set are never read. */
interface AllTypes<T extends ConfigTypes> {
  row: RowOf<T["fields"]>;
  input: PartlyFilled<
    InputOf<T["fields"], keyof T["generated"] | T["internal"] | T["version"] | T["softDelete"] | T["tenant"]>,
    T["filled"]
  >;
  computed: ComputedValues<T["computed"]>;
  key: T["key"];
  relations: T["relations"];
  filterable: T["filterable"];
  sortable: T["sortable"];
  aggregatable: T["aggregatable"];
  groupable: T["groupable"];
  internal: T["internal"] | T["tenant"];
  immutable: T["immutable"];
  actions: ActionShapes<T["ons"], T["inputs"], T["outputs"]>;
  offers: OffersOf<T["operations"]>;
  queries: ActionShapes<T["queryOns"], T["queryInputs"], T["queryOutputs"]>;
  restores: true;
  records: true;
  searches: true;
  hides: true;
}

/**
 * The names of the types that a definition sets. Each condition reads the definition itself, which is less work for
 * TypeScript than a mapped type over `AllTypes`. If no relations are given, TypeScript infers `string` as their names.
 */
type SetNames<T extends ConfigTypes> =
  | "row"
  | "input"
  | (keyof T["computed"] extends never ? never : "computed")
  | (T["key"] extends "id" ? never : "key")
  | (keyof T["relations"] extends never ? never : string extends keyof T["relations"] ? never : "relations")
  | (T["filterable"] extends never ? never : "filterable")
  | (T["sortable"] extends never ? never : "sortable")
  | (T["aggregatable"] extends never ? never : "aggregatable")
  | (T["groupable"] extends never ? never : "groupable")
  | (T["internal"] | T["tenant"] extends never ? never : "internal")
  | (T["immutable"] extends never ? never : "immutable")
  | (keyof T["ons"] extends never ? never : "actions")
  | (T["operations"] extends never ? never : "offers")
  | (keyof T["queryOns"] extends never ? never : "queries")
  | (T["softDelete"] extends never ? never : "restores")
  | (T["history"] extends true | HistoryConfig ? "records" : never)
  | (T["search"] extends never ? never : "searches")
  | (T["read"] extends typeof allow ? never : "hides");

// One mapped type alone, which TypeScript resolves only when it needs its members. `& {}` makes editors show them.
// TypeScript evaluates the names with each use of the type, so they are not a conditional type. A mapped type over the
// names instead of `keyof T` would be less work, but editors would show the alias and not its members.
type WithNames<T, Names> = { [K in keyof T as K & Names]: T[K] } & {};

/** Makes these fields optional. */
type PartlyFilled<Input, Filled> = [Filled] extends [never]
  ? Input
  : Simplify<Without<Input, Filled> & Partial<Pluck<Input, Filled>>>;

type OffersOf<Operations> = Operations extends readonly (infer Name)[]
  ? { rest: Name; graphql: Name }
  : Operations extends StyleOperations
    ? { rest: ListedIn<Operations["rest"]>; graphql: ListedIn<Operations["graphql"]> }
    : never;

type ListedIn<List> = List extends readonly (infer Name)[] ? Name : OperationName;

type ComputedValues<Computed> = Simplify<{
  -readonly [K in keyof Computed]: ComputedValue<Computed[K]>;
}>;

type ActionShapes<Ons, Inputs, Outputs> = Simplify<{
  -readonly [K in keyof Ons]: Simplify<
    { on: Ons[K] } & (Inputs[K & keyof Inputs] extends infer Schema extends ZodSchema
      ? { input: z.input<Schema> }
      : unknown) &
      (Outputs[K & keyof Outputs] extends infer Schema extends ZodSchema ? { output: z.output<Schema> } : unknown)
  >;
}>;
