import type { z } from "zod";
import type { ActionContext } from "../definition/actions.ts";
import type { QueryContext } from "../definition/queries.ts";
import type { Generator } from "../definition/generated.ts";
import type { Hooks } from "../definition/hooks.ts";
import type { Principal } from "../definition/principal.ts";
import type { OnDelete } from "../definition/relations.ts";
import type { CachePolicy } from "../definition/resource-config.ts";
import type { Rule } from "../definition/rule.ts";
import type { Issue } from "../errors/bifocal-error.ts";
import type { Json } from "../util/json.ts";
import type { OperationName } from "../definition/operation-names.ts";
import type { Operator } from "../definition/operators.ts";
import type { Computation } from "./computation.ts";
import type { GroupTerm, Measure } from "./measure.ts";
import type { WireObject, WireType } from "./wire-type.ts";

/** A row as stores hold it: every field of the resource in stored form, `null` if it has no value. Never mutated. */
export type Row = Readonly<Record<string, Json>>;

/** A key: the value of the key field, or a list of values if the key has several fields, in the resource's order. */
export type Key = string | number | readonly (string | number)[];

/** All resources, resolved once and frozen. */
export interface Model {
  readonly resources: ReadonlyMap<string, ResourceModel>;
}

export interface ResourceModel {
  /** Such as `book`; also the GraphQL field of one row. */
  readonly name: string;
  /** Such as `books`; also the GraphQL field of the list. */
  readonly plural: string;
  /** Such as `Book` and `Books`. */
  readonly typeName: string;
  readonly pluralTypeName: string;
  /** The URL segment, such as `books` or `book-tags`. */
  readonly path: string;
  readonly key: readonly string[];
  /** The fields that stores hold. */
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** The fields that are computed when they are read. */
  readonly computed: ReadonlyMap<string, ComputedModel>;
  /** The fields that responses can contain: all except internal ones, in the order of their definition. */
  readonly visibleFields: readonly FieldModel[];
  /** The visible fields that stores hold, which determine the version of a row. */
  readonly storedFields: readonly FieldModel[];
  /** The selection of all visible fields without relations. */
  readonly whole: { readonly fields: readonly string[]; readonly relations: readonly [] };
  /** The stored visible fields with their own read rule. */
  readonly ruledFields: readonly FieldModel[];
  /** The visible fields that are deprecated. */
  readonly deprecatedFields: readonly FieldModel[];
  /** The fields with their own write rule. */
  readonly writeRuledFields: readonly FieldModel[];
  /** The fields that a hook sets if a create omits them. */
  readonly filledFields: readonly FieldModel[];
  /** Names of the internal fields that no event may contain. */
  readonly secretFields: readonly string[];
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** The relations whose rows or links an input of each mode can write. */
  readonly nested: Readonly<Record<InputMode, readonly RelationModel[]>>;
  readonly actions: ReadonlyMap<string, ActionModel>;
  readonly queries: ReadonlyMap<string, QueryModel>;
  readonly access: AccessModel;
  /** The operations that each style offers to callers. Local calls have every operation. */
  readonly operations: { readonly rest: OfferedOperations; readonly graphql: OfferedOperations };
  readonly unique: readonly (readonly string[])[];
  /** The fields that a search looks for words in, the most important one first. */
  readonly search: readonly (readonly [field: string] | readonly [relation: string, field: string])[];
  readonly page: { readonly size: number; readonly max: number };
  readonly cache: CachePolicy | undefined;
  /** The field that counts the writes of a row. The store sets it to 1 on insert and increments it on each update. */
  readonly version: string | undefined;
  /** The field with the time of a soft deletion, null for living rows. Undefined if deletions remove rows. */
  readonly softDelete: string | undefined;
  readonly tenant: TenantModel | undefined;
  /** The resource that holds the history of its rows. */
  readonly history: string | undefined;
  /** The resource whose history its rows are. Only the engine writes them, and styles only offer them along a relation. */
  readonly historyOf: string | undefined;
  /** The age in seconds at which the engine deletes its rows. Only histories have one. */
  readonly keepFor: number | undefined;
  /** Whether its rows, or rows that its relations lead to, belong to tenants, so that results depend on the caller. */
  readonly reachesTenants: boolean;
  readonly upsert: boolean;
  /** Whether callers can count all rows without a limit. */
  readonly exactCount: boolean;
  readonly aggregates: AggregatesModel;
  readonly requirePrecondition: boolean;
  /** How many rows one operation may write; 0 forbids it. */
  readonly bulk: { readonly create: number; readonly update: number; readonly delete: number };
  readonly hooks: HooksModel;
  readonly description: string | undefined;
  /** The reason, if it is deprecated. */
  readonly deprecated: string | undefined;
  readonly deprecation: DeprecationModel | undefined;
  /** Validates an input and converts it to stored form. */
  readonly parse: Readonly<Record<InputMode, InputParser>>;
  /** Validates the fields that a hook sets, in stored form. Undefined if no hook sets any. */
  readonly parseFilled: InputParser | undefined;
  /** Converts rows between stored form and decoded values. Undefined if no field needs a conversion. */
  readonly codec: RowCodec | undefined;
}

export interface TenantModel {
  readonly field: string;
  readonly of: (principal: Principal) => unknown;
}

/** `create` fills in defaults, `replace` requires every writable field, `update` accepts any subset. */
export type InputMode = "create" | "replace" | "update";

/** `wire`: JSON from a request. `value`: the argument of a local call, in zod's input type. */
export type InputForm = "wire" | "value";

export type InputParser = (input: unknown, form: InputForm, decided?: PresetFields) => Parsed;

/** Fields that the caller can't set, in stored form. `undefined` means that the value isn't known yet. */
export type PresetFields = Readonly<Record<string, Json | undefined>>;

/** `row` contains only the written fields, in stored form. Issues contain all mistakes. */
export type Parsed =
  | { readonly row: Row; readonly issues?: never }
  | { readonly row?: never; readonly issues: readonly Issue[] };

/** The operations of a style: those of the definition, except those that a rule denies to everyone. */
export type OfferedOperations = Readonly<Record<OperationName, boolean>>;

/** A deprecation, with times in seconds since 1970. */
export interface DeprecationModel {
  readonly reason: string;
  readonly since: number | undefined;
  readonly sunset: number | undefined;
  readonly link: string | undefined;
}

/** The hooks of a resource by operation, without empty entries. The definition has already checked their types. */
export type HookName = keyof Hooks<unknown, unknown>;
export type Hook = (context: never) => unknown;
export type HooksModel = { readonly [K in HookName]?: { readonly before?: Hook; readonly after?: Hook } };

export interface RowCodec {
  /** Converts stored form to what rules, actions and local results see. */
  readonly toValue: (row: Row) => Readonly<Record<string, unknown>>;
  /** Converts rows written by application code to stored form. */
  readonly toStored: (row: Readonly<Record<string, unknown>>) => Row;
}

export interface FieldModel {
  readonly name: string;
  readonly schema: z.ZodType;
  /** The type in responses. */
  readonly type: WireType;
  /** The type in inputs. It differs from `type` if the schema contains a transform. */
  readonly input: WireType;
  /** Whether a create must contain it. */
  readonly required: boolean;
  /** The value that a create without it stores, in wire form; `undefined` if there is no default. */
  readonly default: Json | undefined;
  /** Whether the field isn't generated, internal or the version. */
  readonly writable: boolean;
  /** Whether a create may omit it because a hook sets it. */
  readonly filledByHook: boolean;
  /** Whether only a create can set it. */
  readonly immutable: boolean;
  readonly internal: boolean;
  /** Whether it is excluded from events. */
  readonly secret: boolean;
  /** Whether it is part of the key or references another row: an `ID` in GraphQL. */
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
  /** Set if decoded values differ from the wire form: dates, bigints, codecs. */
  readonly codec: FieldCodec | undefined;
}

/** A field that is computed when it is read. No store holds it, and no input contains it. */
export interface ComputedModel extends FieldModel {
  readonly computation: Computation;
}

/** The values that callers can compute from groups of rows. */
export interface AggregatesModel {
  /** Whether the definition declares any field as `aggregatable` or `groupable`. */
  readonly isDeclared: boolean;
  /** The segment of their own path, `/books/aggregate`. Undefined if that could be the path of something else. */
  readonly segment: string | undefined;
  /** By name: `count`, which every resource has, then `sum.price`, `avg.price` and so on. */
  readonly measures: ReadonlyMap<string, MeasureModel>;
  /** By name: `genre`, `createdAt.month`, `author.name`. */
  readonly groups: ReadonlyMap<string, GroupModel>;
}

/** A value with a type, as conditions compare it. */
export type ComparedModel = Pick<FieldModel, "name" | "type" | "codec" | "operators" | "identifies">;

export type MeasureModel = Measure & ComparedModel;

export interface GroupModel extends GroupTerm, Pick<FieldModel, "name" | "type" | "codec"> {}

export interface FieldCodec {
  readonly toValue: (stored: Json) => unknown;
  readonly toStored: (value: unknown) => Json;
}

/**
 * A rule, classified at start. `allow` and `deny` don't depend on the caller, so caches may share responses that
 * involve no other rules. System callers bypass all rules.
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
  /** For deleted rows of a resource with soft delete. */
  readonly deleted: RuleModel;
  readonly restore: RuleModel;
}

/**
 * A relation. It connects rows where the fields `local` of the source equal the fields `foreign` of the target, by
 * position. With `through`, a link holds the values of `local` in `from` and those of `foreign` in `to`. A row with a
 * missing value in `local` has no related rows.
 */
export interface RelationModel {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly kind: "belongsTo" | "hasMany" | "hasOne" | "manyToMany";
  readonly many: boolean;
  readonly local: readonly string[];
  readonly foreign: readonly string[];
  /** Whether `foreign` is the key of the target, in its order. */
  readonly toKey: boolean;
  readonly through: LinkTable | undefined;
  /** True for a to-one relation whose row can be missing. */
  readonly nullable: boolean;
  /** For `belongsTo` only. */
  readonly onDelete: OnDelete | undefined;
  /** How many rows along the relation a create of the source may contain; 0 forbids it. */
  readonly creates: number;
  /** How many links along the relation an input of the source may name; 0 forbids it. */
  readonly links: number;
  /** How many rows along the relation an update of the source may write. */
  readonly writes: { readonly create: number; readonly update: number; readonly delete: number };
  /** Applies in addition to the target's own read rule. */
  readonly read: RuleModel;
  /** The rule for links and unlinks on this side; by default the source's update rule. See `linkRules`. */
  readonly link: RuleModel;
}

export interface LinkTable {
  readonly name: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
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
  /** `restore`: the engine restores a soft-deleted row. */
  readonly run: ((context: ActionContext<never, never, unknown, unknown, never>) => unknown) | "restore";
}

export interface QueryModel extends Omit<ActionModel, "input" | "run"> {
  readonly input: QueryInputModel | undefined;
  /** Without an `output`, returns the filter and the sort of the rows. */
  readonly run: (context: QueryContext<never, never, unknown, unknown, never>) => unknown;
}

/** The members of the object are parameters. */
export interface QueryInputModel extends Pick<ActionInputModel, "parse" | "schema"> {
  readonly type: WireObject;
}

export interface ActionInputModel {
  readonly schema: z.ZodType;
  readonly type: WireType;
  /** Whether the action can be called without an input. */
  readonly optional: boolean;
  /** Returns the input as the action sees it (zod's output type), or the issues. */
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
