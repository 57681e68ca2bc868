import type { Simplify } from "../util/simplify.ts";
import type { z } from "zod";
import type { InputOf, RowOf } from "./fields.ts";
import type { Pluck, Without } from "./pick-keys.ts";
import type { RelationShape } from "./relations.ts";
import type { allow } from "./rules.ts";
import type { ConfigTypes } from "./config-types.ts";

/** An action as a caller sees it. `input` and `output` are absent if the action has no schema for them. */
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
  /** Absent if the key is `id`. */
  readonly key?: string | readonly string[];
  readonly relations?: RelationShape;
  readonly filterable?: string;
  readonly sortable?: string;
  readonly internal?: string;
  readonly immutable?: string;
  readonly actions?: Readonly<Record<string, ActionShape>>;
  /** True if rows can be hidden from callers, because `access.read` isn't `allow`. */
  readonly hides?: true;
}

/** Resolves the types of a definition. */
export type ResolveTypes<T extends ConfigTypes> = Simplify<
  {
    row: RowOf<T["fields"]>;
    input: PartlyFilled<
      InputOf<Without<T["fields"], keyof T["generated"] | T["internal"] | T["version"]>>,
      T["filled"]
    >;
  } & OmitNever<{
    key: T["key"] extends "id" ? never : T["key"];
    relations: keyof T["relations"] extends never ? never : OwnNames<T["relations"]>;
    filterable: T["filterable"];
    sortable: T["sortable"];
    internal: T["internal"];
    immutable: T["immutable"];
    actions: keyof T["ons"] extends never ? never : ActionShapes<T["ons"], T["inputs"], T["outputs"]>;
    hides: [T["read"]] extends [typeof allow] ? never : true;
  }>
>;

/** Makes these fields optional. */
type PartlyFilled<Input, Filled> = [Filled] extends [never]
  ? Input
  : Simplify<Without<Input, Filled> & Partial<Pluck<Input, Filled>>>;

type OmitNever<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] };

/** If no relations are given, TypeScript infers `string` as their names. */
type OwnNames<Relations> = string extends keyof Relations ? never : Relations;

type ActionShapes<Ons, Inputs, Outputs> = Simplify<{
  -readonly [K in keyof Ons]: Simplify<
    { on: Ons[K] } & (Inputs[K & keyof Inputs] extends infer Schema extends z.ZodType
      ? { input: z.input<Schema> }
      : unknown) &
      (Outputs[K & keyof Outputs] extends infer Schema extends z.ZodType ? { output: z.output<Schema> } : unknown)
  >;
}>;
