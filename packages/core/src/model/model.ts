import type { z } from "zod";
import type { ActionContext } from "../definition/actions.ts";
import type { Generator } from "../definition/generated.ts";
import type { Hooks } from "../definition/hooks.ts";
import type { OnDelete } from "../definition/relations.ts";
import type { CachePolicy } from "../definition/resource.ts";
import type { Rule } from "../definition/rules.ts";
import type { Issue } from "../errors/bifocal-error.ts";
import type { Json } from "../util/json.ts";
import type { Operator } from "./operators.ts";
import type { WireType } from "./wire-type.ts";

/** A row as stores hold it: every field of the resource, in wire form, `null` where it has no value. Never mutated. */
export type Row = Readonly<Record<string, Json>>;

/** A key: the value of the one key field, or the values of all in the resource's order. */
export type Key = string | number | readonly (string | number)[];

/** All resources, resolved once and frozen. */
export interface Model {
  readonly resources: ReadonlyMap<string, ResourceModel>;
}

export interface ResourceModel {
  /** `book`; in GraphQL the field of one. */
  readonly name: string;
  /** `books`; in GraphQL the field of many. */
  readonly plural: string;
  /** `Book`, and `Books`. */
  readonly typeName: string;
  readonly pluralTypeName: string;
  /** `books`, or `book-tags`: the URL segment. */
  readonly path: string;
  readonly key: readonly string[];
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** The fields that a representation may have: all but the internal ones, in the order they were defined. */
  readonly visibleFields: readonly FieldModel[];
  /** Those of them that not everybody may read who reads the row. */
  readonly ruledFields: readonly FieldModel[];
  /** Names of the internal fields that no event may have. */
  readonly secretFields: readonly string[];
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** Those of them along which an input that creates a row may create others. */
  readonly nested: readonly RelationModel[];
  readonly actions: ReadonlyMap<string, ActionModel>;
  readonly access: AccessModel;
  readonly unique: readonly (readonly string[])[];
  readonly page: { readonly size: number; readonly max: number };
  readonly cache: CachePolicy | undefined;
  /** The field that counts the writes of a row. The store sets it: 1 at first, and one more with each update. */
  readonly version: string | undefined;
  readonly upsert: boolean;
  readonly requirePrecondition: boolean;
  /** How many rows one operation may write; 0: none. */
  readonly bulk: { readonly create: number; readonly update: number; readonly delete: number };
  readonly hooks: HooksModel;
  readonly description: string | undefined;
  /** Why, where it is deprecated. */
  readonly deprecated: string | undefined;
  readonly deprecation: DeprecationModel | undefined;
  /** Checks an input and puts it into stored form. */
  readonly parse: Readonly<Record<InputMode, InputParser>>;
  /** Converts rows to what user code sees, where any field's value differs from its wire form. */
  readonly codec: RowCodec | undefined;
}

/** `create` fills defaults; `replace` requires every writable field; `update` takes any part of them. */
export type InputMode = "create" | "replace" | "update";

/** `wire`: JSON from a request. `value`: what a local call passes, the input side of zod. */
export type InputForm = "wire" | "value";

export type InputParser = (input: unknown, form: InputForm, decided?: Decided) => Parsed;

/** Fields that are not the caller's to say, in stored form; undefined: what it will be is not known yet. */
export type Decided = Readonly<Record<string, Json | undefined>>;

/** `row` has the written fields only, in stored form. Issues name every mistake at once. */
export type Parsed =
  | { readonly row: Row; readonly issues?: never }
  | { readonly row?: never; readonly issues: readonly Issue[] };

/** What is known of a deprecation. Times in seconds since 1970. */
export interface DeprecationModel {
  readonly reason: string;
  readonly since: number | undefined;
  readonly sunset: number | undefined;
  readonly link: string | undefined;
}

/** The hooks of a resource, by what they stand around. Their types were the definition's to check. */
export type HookName = keyof Hooks<unknown, unknown>;
export type Hook = (context: never) => unknown;
export type HooksModel = { readonly [K in HookName]?: { readonly before?: Hook; readonly after?: Hook } };

export interface RowCodec {
  /** Stored form → what rules, actions and local results see. */
  readonly toValue: (row: Row) => Readonly<Record<string, unknown>>;
  /** The reverse, for rows that trusted code writes. */
  readonly toStored: (row: Readonly<Record<string, unknown>>) => Row;
}

export interface FieldModel {
  readonly name: string;
  readonly schema: z.ZodType;
  /** The representation. */
  readonly type: WireType;
  /** What a caller writes; differs from `type` where a transform stands between. */
  readonly input: WireType;
  /** A create without it is refused. */
  readonly required: boolean;
  /** What a create without it stores, in wire form; `undefined` where there is no default. */
  readonly default: Json | undefined;
  /** Neither generated, nor internal, nor the version. */
  readonly writable: boolean;
  /** Set by a create, and never changed. */
  readonly immutable: boolean;
  readonly internal: boolean;
  /** No event has it. */
  readonly secret: boolean;
  /** Part of the key, or holds another row's key: an `ID` in GraphQL. */
  readonly identifies: boolean;
  readonly generated: Generator<unknown> | undefined;
  readonly filterable: boolean;
  readonly sortable: boolean;
  readonly operators: readonly Operator[];
  readonly read: RuleModel;
  readonly write: RuleModel;
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
  readonly deprecation: DeprecationModel | undefined;
  /** Only where the value that user code sees differs from the wire form: dates, bigints, codecs. */
  readonly codec: FieldCodec | undefined;
}

export interface FieldCodec {
  readonly toValue: (stored: Json) => unknown;
  readonly toStored: (value: unknown) => Json;
}

/**
 * A rule with what is known of it at start: `allow` and `deny` never look at who asks, so answers that depend on
 * nothing else may be shared by caches. System callers pass every rule.
 */
export interface RuleModel {
  readonly kind: "allow" | "deny" | "ask";
  readonly rule: Rule;
}

export interface AccessModel {
  readonly read: RuleModel;
  readonly create: RuleModel;
  readonly update: RuleModel;
  readonly delete: RuleModel;
}

/**
 * Rows of source and target belong together where `source[local] === target[foreign]`, or, with `through`, where a
 * link holds `[from] = source[local]` and `[to] = target[foreign]`.
 */
export interface RelationModel {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly kind: "belongsTo" | "hasMany" | "hasOne" | "manyToMany";
  readonly many: boolean;
  readonly local: string;
  readonly foreign: string;
  readonly through: LinkTable | undefined;
  /** A to-one relation that may have no row. */
  readonly nullable: boolean;
  /** `belongsTo` only. */
  readonly onDelete: OnDelete | undefined;
  /** How many rows an input that creates the source may bring along; 0: none. */
  readonly creates: number;
  /** In addition to the target's own read rule, which always applies. */
  readonly read: RuleModel;
  /** Permits links and unlinks as far as this side is concerned; by default the rule for updates of the source. See `linkRules`. */
  readonly link: RuleModel;
}

export interface LinkTable {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface ActionModel {
  readonly name: string;
  readonly on: "item" | "collection";
  readonly input: ActionInputModel | undefined;
  readonly output: ActionOutputModel | undefined;
  readonly access: RuleModel;
  readonly description: string | undefined;
  readonly deprecated: string | undefined;
  readonly deprecation: DeprecationModel | undefined;
  readonly run: (context: ActionContext<unknown, unknown, unknown, unknown>) => unknown;
}

export interface ActionInputModel {
  readonly schema: z.ZodType;
  readonly type: WireType;
  /** No input is one as well. */
  readonly optional: boolean;
  /** The body as the action sees it (the output side), or what is wrong with it. */
  readonly parse: (
    input: unknown,
    form: InputForm,
  ) => { readonly value: unknown } | { readonly issues: readonly Issue[] };
}

export interface ActionOutputModel {
  readonly schema: z.ZodType;
  readonly type: WireType;
  readonly toWire: (value: unknown) => Json;
  readonly toValue: (wire: Json) => unknown;
}
