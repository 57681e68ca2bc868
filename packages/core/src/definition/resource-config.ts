import type { z } from "zod";
import type { Action } from "./actions.ts";
import type { ConfigTypes } from "./config-types.ts";
import type { Deprecation } from "./deprecation.ts";
import type { FieldShape, IdOf, RowOf } from "./fields.ts";
import type { Generator } from "./generated.ts";
import type { Hooks } from "./hooks.ts";
import type { ResolveTypes } from "./resource-types.ts";
import type { Rule, RowRule } from "./rule.ts";
import type { TypeMistake } from "./type-error.ts";

/** The page sizes of a list: default 20, maximum 100 unless set. */
export interface PageSizes {
  readonly size?: number;
  readonly max?: number;
}

/** The `Cache-Control` header of responses that don't depend on the caller. Ages in seconds. */
export interface CachePolicy {
  readonly public?: boolean;
  readonly maxAge?: number;
  readonly staleWhileRevalidate?: number;
  /** Forbids caches to store any response. */
  readonly noStore?: boolean;
}

/** How many rows one request may write. Default 0: requests that write many rows are rejected. */
export interface BulkLimits {
  /** For `POST` with a list, and `createBooks`. */
  readonly create?: number;
  /** For `PATCH` of a collection with a filter, and `updateBooks`. */
  readonly update?: number;
  /** For `DELETE` of a collection with a filter, and `deleteBooks`. */
  readonly delete?: number;
}

/**
 * Read and write rules of single fields. By default, callers who may read or write the row may also read or write the
 * field. If a rule returns a filter, it applies per row; on a write, to the row before and after.
 */
export interface FieldRules<Row, RelationName extends string> {
  readonly read?: RowRule<Row, RelationName>;
  readonly write?: RowRule<Row, RelationName>;
}

/**
 * Rules of a relation. By default, `read` is the target's own rule and `link` is this resource's `update` rule. If the
 * target declares the inverse relation, its rule for links must also allow them.
 */
export interface RelationRules<Row, RelationName extends string> {
  readonly read?: Rule;
  readonly link?: RowRule<Row, RelationName>;
}

/** The access rules of a resource. All four are required, so that nothing becomes public by omission. */
export interface Access<Row, RelationName extends string> {
  readonly read: RowRule<Row, RelationName>;
  readonly create: RowRule<Row, RelationName>;
  readonly update: RowRule<Row, RelationName>;
  readonly delete: RowRule<Row, RelationName>;
  readonly fields?: { readonly [K in keyof Row]?: FieldRules<Row, RelationName> };
  readonly relations?: { readonly [K in RelationName]?: RelationRules<Row, RelationName> };
}

type FieldName<Fields> = keyof Fields & string;

type CheckGenerated<Fields extends FieldShape, Generated> = {
  [K in keyof Generated]: K extends keyof Fields
    ? Generated[K] extends Generator<infer Made>
      ? [Made] extends [z.input<Fields[K]> | z.output<Fields[K]>]
        ? Generated[K]
        : TypeMistake<`The generator of '${K & string}' doesn't return the type of the field.`>
      : TypeMistake<`'${K & string}' needs a generator: uuid(), now(), sequence() or generate(() => value).`>
    : TypeMistake<`Unknown field '${K & string}' in 'generated'.`>;
};

type CheckRelations<Fields extends FieldShape, Relations> = {
  [K in keyof Relations]: K extends keyof Fields
    ? TypeMistake<`A field is already named '${K & string}'. Rename the relation.`>
    : Relations[K] extends { kind: "belongsTo"; field: infer Field extends string }
      ? Field extends keyof Fields
        ? Relations[K]
        : TypeMistake<`Relation '${K & string}' stores its key in '${Field}', but this resource has no such field.`>
      : Relations[K];
};

type CheckVersion<Fields extends FieldShape, Version> = [Version] extends [keyof Fields & string]
  ? [z.output<Fields[Version]>] extends [number]
    ? Version
    : TypeMistake<`'${Version}' must be z.int(): it counts the writes of a row.`>
  : Version;

type At<T, K> = K extends keyof T ? T[K] : undefined;

/**
 * An action's types depend on three things, and each has its own type parameter: TypeScript can only infer from a
 * mapped type if its source appears alone.
 */
type ActionsConfig<T extends ConfigTypes, Ons, Inputs, Outputs> = {
  readonly [K in keyof Inputs]: { readonly input?: Inputs[K] } & Action<
    RowOf<T["fields"]>,
    IdOf<RowOf<T["fields"]>, T["key"]>,
    At<Ons, K> & ("item" | "collection"),
    Inputs[K],
    At<Outputs, K>,
    keyof T["relations"] & string,
    ResolveTypes<T>
  >;
} & { readonly [K in keyof Outputs]: { readonly output?: Outputs[K] } } & {
  readonly [K in keyof Ons]: { readonly on: Ons[K] };
};

/** The definition of a resource. */
export interface ResourceConfig<T extends ConfigTypes> {
  /**
   * The fields, with a zod schema each. `.meta({ description, deprecated: true, deprecation })` appears in OpenAPI and
   * GraphQL.
   */
  readonly fields: T["fields"];
  /** The field or fields that identify a row. Default `"id"`. */
  readonly key?: T["key"];
  /** Fields that the server generates; no input can contain them. */
  readonly generated?: T["generated"] & CheckGenerated<T["fields"], T["generated"]>;
  readonly relations?: T["relations"] & CheckRelations<T["fields"], T["relations"]>;
  /** The access rules. Required. */
  readonly access: Access<RowOf<T["fields"]>, keyof T["relations"] & string> & { readonly read: T["read"] };
  /** Fields that callers may filter by. Default none. */
  readonly filterable?: readonly T["filterable"][];
  /** Fields that callers may sort by. Default none. */
  readonly sortable?: readonly T["sortable"][];
  /** Fields that are part of no schema and no response; only rules, actions and the store see them. */
  readonly internal?: readonly T["internal"][];
  /** Internal fields that no event, change log or bus may carry, such as password hashes. Rules can't use them. */
  readonly secret?: readonly NoInfer<T["internal"]>[];
  /**
   * Fields that `hooks.create.before` sets if the input of a create doesn't contain them. They are optional in inputs,
   * and validated after the hook. Before it, rules about the new row don't depend on them.
   */
  readonly filledByHook?: readonly T["filled"][];
  /** Fields that can be set on create and never changed afterwards. */
  readonly immutable?: readonly T["immutable"][];
  /**
   * An integer field that counts the writes of a row, starting at 1; its value is the row's `ETag`. Default: a hash of
   * the row.
   */
  readonly version?: T["version"] & CheckVersion<T["fields"], T["version"]>;
  /** Whether `PUT` and `replaceBook` create a missing row with the given id. Default false. */
  readonly upsert?: boolean;
  /**
   * Whether changes to a row must name its version (`If-Match`, `ifMatch`); otherwise they fail with 428. Default
   * false.
   */
  readonly requirePrecondition?: boolean;
  /** How many rows one request may write. Default: only one. */
  readonly bulk?: BulkLimits;
  readonly hooks?: Hooks<RowOf<T["fields"]>, IdOf<RowOf<T["fields"]>, T["key"]>, ResolveTypes<T>>;
  /** Fields, or groups of fields, whose values must be unique; a duplicate is rejected with 409. */
  readonly unique?: readonly (FieldName<T["fields"]> | readonly FieldName<T["fields"]>[])[];
  readonly actions?: ActionsConfig<T, T["ons"], T["inputs"], T["outputs"]>;
  readonly page?: PageSizes;
  /**
   * Whether callers can count all rows without a limit: `count=exact`, `exactTotalCount`. It costs 1,000, because the
   * database reads every matching row. Default false.
   */
  readonly exactCount?: boolean;
  readonly cache?: CachePolicy;
  /** The plural in camel case. Default by English rules: `book` → `books`, `country` → `countries`. */
  readonly plural?: string;
  /** The URL segment. Default: the plural in kebab case. */
  readonly path?: string;
  readonly description?: string;
  readonly deprecated?: boolean | string | Deprecation;
}
