import type { Simplify } from "type-fest";
import type { z } from "zod";
import type { Action } from "./actions.ts";
import type { FieldShape, RowOf } from "./fields.ts";
import type { Generator } from "./generated.ts";
import type { Hooks } from "./hooks.ts";
import type { RelationShape } from "./relations.ts";
import type { Rule, RowRule } from "./rules.ts";
import type { TypeMistake } from "./type-error.ts";

/** The page sizes of a list. Default 20, at most 100. */
export interface PageSizes {
  readonly size?: number;
  readonly max?: number;
}

/** What `Cache-Control` says where an answer did not depend on who asked. Ages in seconds. */
export interface CachePolicy {
  readonly public?: boolean;
  readonly maxAge?: number;
  readonly staleWhileRevalidate?: number;
  /** Nobody is to keep any answer. */
  readonly noStore?: boolean;
}

/** That something will go, for `Deprecation` (RFC 9745), `Sunset` (RFC 8594), OpenAPI and `@deprecated`. */
export interface Deprecation {
  /** What to use instead, in words. */
  readonly reason?: string;
  /** Since when: an ISO 8601 date or date and time, as in `"2026-07-01"`. */
  readonly since?: string;
  /** When it will be gone; not before `since`. */
  readonly sunset?: string;
  /** A page that tells more. */
  readonly link?: string;
}

/** How many rows one request may write. Default 0: a request about many rows is refused. */
export interface BulkLimits {
  /** `POST` with a list, and `createBooks`. */
  readonly create?: number;
  /** `PATCH` of a collection by a filter, and `updateBooks`. */
  readonly update?: number;
  /** `DELETE` of a collection by a filter, and `deleteBooks`. */
  readonly delete?: number;
}

/**
 * Read and write rules of single fields. By default whoever may read the row may read the field, and whoever may write the
 * row may write it. Either may answer with a filter: then each row decides, on a write as it is and as it becomes.
 */
export interface FieldRules<Row, RelationName extends string> {
  readonly read?: RowRule<Row, RelationName>;
  readonly write?: RowRule<Row, RelationName>;
}

/** Rules of a relation; by default `read` is the target's own rule and `link` this resource's `update`. If the target declares the relation as well, its rule for links must permit them too. */
export interface RelationRules<Row, RelationName extends string> {
  readonly read?: Rule;
  readonly link?: RowRule<Row, RelationName>;
}

/** Who may do what. All four are required: nothing is public by omission. */
export interface Access<Row, RelationName extends string> {
  readonly read: RowRule<Row, RelationName>;
  readonly create: RowRule<Row, RelationName>;
  readonly update: RowRule<Row, RelationName>;
  readonly delete: RowRule<Row, RelationName>;
  readonly fields?: { readonly [K in keyof Row]?: FieldRules<Row, RelationName> };
  readonly relations?: { readonly [K in RelationName]?: RelationRules<Row, RelationName> };
}

type FieldName<Fields> = keyof Fields & string;

/** What an id is: the key field's value, or an object of them where the key has several fields. */
export type IdOf<Row, Key> = Key extends readonly [infer Only extends keyof Row]
  ? Row[Only]
  : Key extends readonly (infer Each extends keyof Row)[]
    ? Simplify<Pick<Row, Each>>
    : Key extends keyof Row
      ? Row[Key]
      : unknown;

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

/** The types of a resource, one property each; what `defineResource` infers and everything typed is computed from. */
export interface ResourceTypes {
  readonly fields: FieldShape;
  readonly relations: RelationShape;
  readonly generated: unknown;
  readonly key: unknown;
  readonly filterable: string;
  readonly sortable: string;
  readonly internal: string;
  readonly immutable: string;
  readonly version: string;
  readonly ons: unknown;
  readonly inputs: unknown;
  readonly outputs: unknown;
}

type At<T, K> = K extends keyof T ? T[K] : undefined;

/**
 * One type parameter each for the three things that an action's types depend on: TypeScript infers a mapped type
 * back to its source only where the source stands alone.
 */
type ActionsConfig<T extends ResourceTypes, Ons, Inputs, Outputs> = {
  readonly [K in keyof Inputs]: { readonly input?: Inputs[K] } & Action<
    RowOf<T["fields"]>,
    IdOf<RowOf<T["fields"]>, T["key"]>,
    At<Ons, K> & ("item" | "collection"),
    Inputs[K],
    At<Outputs, K>,
    keyof T["relations"] & string
  >;
} & { readonly [K in keyof Outputs]: { readonly output?: Outputs[K] } } & {
  readonly [K in keyof Ons]: { readonly on: Ons[K] };
};

/** What a developer writes about a resource. */
export interface ResourceConfig<T extends ResourceTypes> {
  /** The fields, a zod schema each. `.meta({ description, deprecated: true, deprecation })` goes into both schemas. */
  readonly fields: T["fields"];
  /** The field or fields that identify a row. Default `"id"`. */
  readonly key?: T["key"];
  /** Fields that the server makes; no input may carry them. */
  readonly generated?: T["generated"] & CheckGenerated<T["fields"], T["generated"]>;
  readonly relations?: T["relations"] & CheckRelations<T["fields"], T["relations"]>;
  /** Who may do what. Required. */
  readonly access: Access<RowOf<T["fields"]>, keyof T["relations"] & string>;
  /** Fields that callers may filter by. Default none. */
  readonly filterable?: readonly T["filterable"][];
  /** Fields that callers may sort by. Default none. */
  readonly sortable?: readonly T["sortable"][];
  /** Fields that exist in no schema and no document; only rules, actions and the store see them. */
  readonly internal?: readonly T["internal"][];
  /** Those of them that no event, log of changes or bus may carry, hashes of passwords say; no rule can name them. */
  readonly secret?: readonly NoInfer<T["internal"]>[];
  /** Fields that a create may set and nothing changes afterwards. */
  readonly immutable?: readonly T["immutable"][];
  /** An integer field that counts the writes of a row, from 1 on; its value is the row's `ETag`. Default: a hash of the row. */
  readonly version?: T["version"] & CheckVersion<T["fields"], T["version"]>;
  /** Whether `PUT` and `replaceBook` make a row that is not there, with the id they name. Default false. */
  readonly upsert?: boolean;
  /** Whether a change of a row must say which version it is of (`If-Match`, `ifMatch`); else it is 428. Default false. */
  readonly requirePrecondition?: boolean;
  /** What one request may do to many rows. Default: nothing. */
  readonly bulk?: BulkLimits;
  readonly hooks?: Hooks<RowOf<T["fields"]>, IdOf<RowOf<T["fields"]>, T["key"]>>;
  /** Fields, or groups of fields, that no two rows may share; a second one is a 409. */
  readonly unique?: readonly (FieldName<T["fields"]> | readonly FieldName<T["fields"]>[])[];
  readonly actions?: ActionsConfig<T, T["ons"], T["inputs"], T["outputs"]>;
  readonly page?: PageSizes;
  readonly cache?: CachePolicy;
  /** The plural, in camel case. Default by English rules: `book` → `books`, `country` → `countries`. */
  readonly plural?: string;
  /** The URL segment. Default: the plural in kebab case. */
  readonly path?: string;
  readonly description?: string;
  readonly deprecated?: boolean | string | Deprecation;
}

/** A defined resource. What it holds is read by `defineApi` alone. */
export interface Resource<Name extends string = string, T extends ResourceTypes = ResourceTypes> {
  readonly "~bifocal": "resource";
  readonly "~types"?: T;
  readonly name: Name;
  readonly config: ResourceConfig<T>;
}

/** Any resource. Its config is opaque here, so that rules over different rows fit one list. */
export type AnyResource = {
  readonly "~bifocal": "resource";
  readonly name: string;
  readonly "~types"?: ResourceTypes;
  readonly config: object;
};

/** The types of a resource; `TypesOf<typeof book>["fields"]`. */
export type TypesOf<R extends AnyResource> = NonNullable<R["~types"]>;

/**
 * A rule over the rows of a resource, for one that is written apart from it.
 *
 * @example const mine: RuleOf<typeof book> = ({ principal }) => ({ ownerId: { eq: principal?.id } });
 */
export type RuleOf<R extends AnyResource> = RowRule<
  RowOf<TypesOf<R>["fields"]>,
  keyof TypesOf<R>["relations"] & string
>;
