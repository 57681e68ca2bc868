import type { z } from "zod";
import type { Action } from "./actions.ts";
import type { CheckQueries, Query } from "./queries.ts";
import type { ComputedField } from "./computed.ts";
import type { ConfigTypes } from "./config-types.ts";
import type { Deprecation } from "./deprecation.ts";
import type { FieldShape, IdOf, RowOf } from "./fields.ts";
import type { Generator } from "./generated.ts";
import type { Hooks } from "./hooks.ts";
import type { RelatedField } from "./related-fields.ts";
import type { NamesIn } from "./relations.ts";
import type { Principal } from "./principal.ts";
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

/** The read rule of a computed field. It replaces the rules that the field has by default. */
export type ComputedRules<Row, RelationName extends string> = Pick<FieldRules<Row, RelationName>, "read">;

/** The access rules of a resource. All four are required, so that nothing becomes public by omission. */
export interface Access<Row, RelationName extends string, ComputedName extends string = never> {
  readonly read: RowRule<Row, RelationName>;
  readonly create: RowRule<Row, RelationName>;
  readonly update: RowRule<Row, RelationName>;
  readonly delete: RowRule<Row, RelationName>;
  /** With `softDelete`: which callers may read deleted rows, in addition to `read`. Default: `deny`. */
  readonly deleted?: RowRule<Row, RelationName>;
  /** With `softDelete`: which callers may restore deleted rows. Default: the `delete` rule. */
  readonly restore?: RowRule<Row, RelationName>;
  /** With `history`: which callers may read the history of a row, in addition to `read`. Default: `allow`. */
  readonly history?: RowRule<Row, RelationName>;
  readonly fields?: {
    readonly [K in keyof Row | ComputedName]?: K extends keyof Row
      ? FieldRules<Row, RelationName>
      : ComputedRules<Row, RelationName>;
  };
  readonly relations?: { readonly [K in RelationName]?: RelationRules<Row, RelationName> };
}

type FieldName<Fields> = keyof Fields & string;

/** The generators that these fields accept. Comparing with it is cheap, and `CheckGenerated` is for messages. */
type GeneratorsOf<Fields extends FieldShape, Name> = {
  [K in Name & string]: K extends keyof Fields ? Generator<z.input<Fields[K]> | z.output<Fields[K]>> : never;
};

type CheckGenerated<Fields extends FieldShape, Generated> = {
  [K in keyof Generated]: K extends keyof Fields
    ? Generated[K] extends Generator<infer Made>
      ? [Made] extends [z.input<Fields[K]> | z.output<Fields[K]>]
        ? Generated[K]
        : TypeMistake<`The generator of '${K & string}' doesn't return the type of the field.`>
      : TypeMistake<`'${K & string}' needs a generator: uuid(), now(), principalId(), sequence() or generate(() => value).`>
    : TypeMistake<`Unknown field '${K & string}' in 'generated'.`>;
};

/** The fields of this resource that a relation names. */
type OwnFields<Rel> = Rel extends { kind: "belongsTo"; field: infer Field }
  ? NamesIn<Field>
  : Rel extends { kind: "hasMany" | "hasOne"; references: infer References }
    ? NamesIn<References>
    : never;

/** The names of relations that `CheckRelations` has a message for, or of their fields. */
type WrongNames<Fields, Relations> =
  | (keyof Fields & keyof Relations)
  | Exclude<OwnFields<Relations[keyof Relations]>, keyof Fields | undefined>;

type CheckRelations<Fields extends FieldShape, Relations> = {
  [K in keyof Relations]: K extends keyof Fields
    ? TypeMistake<`A field is already named '${K & string}'. Rename the relation.`>
    : OwnFields<Relations[K]> extends infer Field extends string
      ? [Field] extends [keyof Fields]
        ? Relations[K]
        : TypeMistake<`Relation '${K & string}' stores its key in '${Exclude<Field, keyof Fields>}', but this resource has no such field.`>
      : Relations[K];
};

/**
 * The message for a computed field with the name of another member; otherwise unknown. It isn't part of the type of
 * `computed`, because TypeScript would then no longer infer the rows that its functions receive.
 */
type CheckComputed<Fields, Relations, Name, From> = [Name & (keyof Fields | keyof Relations)] extends [never]
  ? [Exclude<From, keyof Relations>] extends [never]
    ? unknown
    : TypeMistake<`A computed field names the relation '${Exclude<From, keyof Relations> & string}', which this resource doesn't have.`>
  : TypeMistake<`A field or relation is already named '${Name & (keyof Fields | keyof Relations) & string}'. Rename the computed field.`>;

type CheckVersion<Fields extends FieldShape, Version> = [Version] extends [keyof Fields & string]
  ? [z.output<Fields[Version]>] extends [number]
    ? Version
    : TypeMistake<`'${Version}' must be z.int(): it counts the writes of a row.`>
  : Version;

type CheckSoftDelete<Fields extends FieldShape, SoftDelete> = [SoftDelete] extends [keyof Fields & string]
  ? [string | null] extends [z.input<Fields[SoftDelete]>]
    ? SoftDelete
    : TypeMistake<`'${SoftDelete}' must be z.iso.datetime().nullable(): it holds the time of the deletion.`>
  : SoftDelete;

/** A field of `internal`. */
type SecretField<Internal extends string> = [Internal] extends [never]
  ? TypeMistake<"Fields of 'secret' must be in 'internal', too.">
  : Internal;

/** Assigns each row to a tenant, such as an organization. */
export interface TenantConfig<Field> {
  /** The field with the tenant of a row. The server sets it on create; nothing else can read or change it. */
  readonly field: Field;
  /** Returns the tenant of a caller, or `null` if it has none, so that it can't reach any row. */
  readonly of: (principal: Principal) => string | number | null | undefined;
}

type At<T, K> = K extends keyof T ? T[K] : undefined;

/**
 * TypeScript infers type parameters from `Source`, and replaces it by `unknown` once `Inferred` is known: it doesn't
 * compare the definition with `Source`, or use it for contextual types.
 */
type InferFrom<Source, Inferred> = [Inferred] extends [never] ? Source : unknown;

/**
 * An action's types depend on three things, and each has its own type parameter: TypeScript can only infer from a
 * mapped type if its source appears alone. `NoInfer` excludes `Action` from the inference.
 */
type ActionsConfig<Row, Id, RelationName extends string, Types, Ons, Inputs, Outputs> = {
  readonly [K in keyof NoInfer<Inputs>]: Action<
    Row,
    Id,
    At<Ons, K> & ("item" | "collection"),
    Inputs[K],
    At<Outputs, K>,
    RelationName,
    Types
  >;
} & InferParts<Ons, Inputs, Outputs>;

/** Like `ActionsConfig`, for queries. */
type QueriesConfig<Row, Id, RelationName extends string, SortName extends string, Types, Ons, Inputs, Outputs> = {
  readonly [K in keyof NoInfer<Inputs>]: Query<
    Row,
    Id,
    At<Ons, K> & ("item" | "collection"),
    Inputs[K],
    At<Outputs, K>,
    RelationName,
    SortName,
    Types
  >;
} & InferParts<Ons, Inputs, Outputs>;

type InferParts<Ons, Inputs, Outputs> = InferFrom<
  { readonly [K in keyof Inputs]: { readonly input?: Inputs[K] } } & {
    readonly [K in keyof Outputs]: { readonly output?: Outputs[K] };
  } & { readonly [K in keyof Ons]: { readonly on: Ons[K] } },
  Inputs
>;

/** The fields that a query can sort by: also those of related rows, by their path. */
type QuerySort<T extends ConfigTypes> =
  | Exclude<FieldName<T["fields"]>, T["internal"]>
  | T["computedName"]
  | `${keyof T["relations"] & string}.${string}`;

/**
 * The definition of a resource. `Types` are the types that its actions and hooks see. They don't contain the types of
 * computed fields: TypeScript would have to infer these before it knows the rows that the fields are computed from.
 */
export interface ResourceConfig<T extends ConfigTypes, Types = unknown> {
  /**
   * The fields, with a zod schema each. `.meta({ description, deprecated: true, deprecation })` appears in OpenAPI and
   * GraphQL.
   */
  readonly fields: T["fields"];
  /** The field or fields that identify a row. Default `"id"`. */
  readonly key?: T["key"];
  /** Fields that the server generates; no input can contain them. */
  readonly generated?: T["generated"] &
    (T["generated"] extends GeneratorsOf<T["fields"], keyof T["generated"]>
      ? unknown
      : CheckGenerated<T["fields"], T["generated"]>);
  readonly relations?: T["relations"] &
    ([WrongNames<T["fields"], T["relations"]>] extends [never] ? unknown : CheckRelations<T["fields"], T["relations"]>);
  /** Fields that no store holds: `computed(…)`, `count(…)`, `sum(…)`, `avg(…)`, `min(…)` and `max(…)`. They are part of responses and of no input. */
  readonly computed?: T["computed"] &
    Readonly<Record<T["computedName"], ComputedField<RowOf<T["fields"]>> | RelatedField<T["computedFrom"]>>>;
  /** The access rules. Required. */
  readonly access: Access<RowOf<T["fields"]>, keyof T["relations"] & string, NoInfer<T["computedName"]>> &
    InferFrom<{ readonly read: T["read"] }, T["read"]> &
    CheckComputed<T["fields"], T["relations"], NoInfer<T["computedName"]>, NoInfer<T["computedFrom"]>>;
  /**
   * The operations that REST and GraphQL offer, or a list for each style. Default all. Local calls have all of them, and
   * actions are always offered. `query` stands for the `queries` of the resource. A rule that is `deny` removes its operations as well.
   */
  readonly operations?: T["operations"];
  /** Fields that callers may filter by. Default none. */
  readonly filterable?: readonly T["filterable"][];
  /** Fields that callers may sort by. Default none. */
  readonly sortable?: readonly T["sortable"][];
  /** Fields whose values callers can sum up, average or compare over many rows: `aggregate=avg.price`. Default none. */
  readonly aggregatable?: readonly T["aggregatable"][];
  /**
   * Fields by which callers can group rows: `genre`, or `author.name` along a to-one relation. Dates also by year, month
   * and day. Default none.
   */
  readonly groupable?: readonly T["groupable"][];
  /**
   * The text fields that `q` and `search` look for words in: `title`, or `author.name` along a to-one relation. The most
   * important field comes first. Default none.
   */
  readonly search?: readonly T["search"][];
  /** Fields that are part of no schema and no response; only rules, actions and the store see them. */
  readonly internal?: readonly T["internal"][];
  /** Internal fields that no event, change log or bus may carry, such as password hashes. Rules can't use them. */
  readonly secret?: readonly SecretField<NoInfer<T["internal"]>>[];
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
  /**
   * A nullable datetime field. A deletion then sets it and keeps the row, which disappears everywhere until it is
   * restored. No input can contain it.
   */
  readonly softDelete?: T["softDelete"] & CheckSoftDelete<T["fields"], T["softDelete"]>;
  /**
   * Records who changed which fields of a row and when, in the same transaction: `GET /books/{id}/history`,
   * `book { history }`. `{ keepFor: 31_536_000 }` deletes entries after a year. Default false.
   */
  readonly history?: T["history"];
  /** Separates the rows of tenants, so that no caller can reach a row of another one. */
  readonly tenant?: TenantConfig<T["tenant"]>;
  /** Whether `PUT` and `replaceBook` create a missing row with the given id. Default false. */
  readonly upsert?: boolean;
  /**
   * Whether changes to a row must name its version (`If-Match`, `ifMatch`); otherwise they fail with 428. Default
   * false.
   */
  readonly requirePrecondition?: boolean;
  /** How many rows one request may write. Default: only one. */
  readonly bulk?: BulkLimits;
  readonly hooks?: Hooks<RowOf<T["fields"]>, IdOf<RowOf<T["fields"]>, T["key"]>, Types>;
  /** Fields, or groups of fields, whose values must be unique; a duplicate is rejected with 409. */
  readonly unique?: readonly (FieldName<T["fields"]> | readonly FieldName<T["fields"]>[])[];
  readonly actions?: ActionsConfig<
    RowOf<T["fields"]>,
    IdOf<RowOf<T["fields"]>, T["key"]>,
    keyof T["relations"] & string,
    Types,
    T["ons"],
    T["inputs"],
    T["outputs"]
  >;
  /** Named reads: they find rows by code of the server, or return a value. */
  readonly queries?: QueriesConfig<
    RowOf<T["fields"]>,
    IdOf<RowOf<T["fields"]>, T["key"]>,
    keyof T["relations"] & string,
    NoInfer<QuerySort<T>>,
    Types,
    T["queryOns"],
    T["queryInputs"],
    T["queryOutputs"]
  > &
    CheckQueries<NoInfer<T["queryInputs"]>>;
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
