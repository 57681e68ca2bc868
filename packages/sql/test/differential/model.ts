import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  manyToMany,
  memoryStore,
  type AnyResource,
  principalId,
} from "@bifocal/core";
import type { Model } from "@bifocal/core/store";
import fc from "fast-check";
import type { z } from "zod";
import type { PlannedField } from "./planned-field.ts";
import { relatedFieldsOf } from "./related-fields.ts";
import { shopOf } from "./callers.ts";
import { type Kind, KINDS, VALUES } from "./values.ts";

/** The plan of a model as plain data, so that it can be shrunk and printed. */
export interface ModelPlan {
  readonly resources: readonly ResourcePlan[];
}

export interface ResourcePlan {
  readonly name: string;
  readonly key: readonly Kind[];
  readonly fields: readonly FieldPlan[];
  /** Indexes of fields. */
  readonly unique: readonly (readonly number[])[];
  readonly hasVersion: boolean;
  /** Each entry creates the fields of a reference, a `belongsTo`, and the inverse relation on the target. */
  readonly pointsAt: readonly ReferencePlan[];
  readonly linkedTo: readonly number[];
  readonly softDelete?: boolean;
  /** The resource has a tenant, and a key of one UUID. */
  readonly tenant?: boolean;
  /** Rows name the callers who created and changed them. */
  readonly stamped?: boolean;
  readonly history?: boolean;
  /** Whether fields are sortable, so that they have indexes, which take long to create. Default: true. */
  readonly sortable?: boolean;
  /** Each number chooses a text field of the row or of a row that it references. */
  readonly search?: readonly number[];
}

export interface ReferencePlan {
  /** Index of the resource. */
  readonly to: number;
  readonly nullable: boolean;
  readonly isOne: boolean;
  /** Index of the key (0) or of one of the unique groups that a relation can reference. */
  readonly group: number;
}

export interface FieldPlan {
  readonly kind: Kind;
  readonly nullable: boolean;
}

/** Includes reserved words of SQL. */
const RESOURCES = ["order", "user", "bookTag"];
const DELETED = "deletedAt";
const TENANT = "shopId";
const STAMPS = { createdBy: principalId(), updatedBy: principalId({ on: "update" }) };
/** The fields that callers of the API can't write. */
export const GENERATED: ReadonlySet<string> = new Set([DELETED, TENANT, ...Object.keys(STAMPS)]);
const FIELDS = ["select", "from", "createdAt", "aB2", "rank", "x_y"];
const KEY_KINDS: readonly Kind[] = ["text", "uuid", "int32", "integer", "enum", "email"];
/** MySQL indexes 3,072 bytes, enough for two text columns but not three. */
const LONG: ReadonlySet<Kind> = new Set(["text", "email", "enum", "time", "duration"]);
/** Kinds that a relation can reference. */
const REFERENCED_KINDS: ReadonlySet<Kind> = new Set([...KEY_KINDS, "date"]);
const UNIQUE_KINDS: ReadonlySet<Kind> = new Set([
  "text",
  "int32",
  "uuid",
  "enum",
  "date",
  "moment",
  "bigint",
  "decimal",
  "boolean",
]);

const fieldPlan: fc.Arbitrary<FieldPlan> = fc.record({ kind: fc.constantFrom(...KINDS), nullable: fc.boolean() });

function resourcePlan(name: string, count: number): fc.Arbitrary<ResourcePlan> {
  const index = fc.nat(count - 1);
  return fc
    .record({
      name: fc.constant(name),
      key: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...KEY_KINDS).map((kind) => [kind]) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Kind[]>(["text", "int32"], ["int32", "uuid"], ["int32", "int32", "int32"]),
        },
      ),
      fields: fc.array(fieldPlan, { maxLength: FIELDS.length }),
      unique: fc.uniqueArray(fc.uniqueArray(fc.nat(FIELDS.length - 1), { minLength: 1, maxLength: 2 }), {
        maxLength: 2,
        selector: (group) => [...group].sort((a, b) => a - b).join(),
      }),
      hasVersion: fc.boolean(),
      pointsAt: fc.array(fc.record({ to: index, nullable: fc.boolean(), isOne: fc.boolean(), group: fc.nat(2) }), {
        maxLength: 2,
      }),
      linkedTo: fc.uniqueArray(index, { maxLength: 1 }),
    })
    .map((plan) => ({ ...plan, unique: plan.unique.filter((group) => isPossible(plan.fields, group)) }));
}

function isPossible(fields: readonly FieldPlan[], group: readonly number[]): boolean {
  return group.every((at) => UNIQUE_KINDS.has(fields[at]?.kind ?? "json"));
}

export const modelPlan: fc.Arbitrary<ModelPlan> = fc
  .integer({ min: 1, max: RESOURCES.length })
  .chain((count) => fc.tuple(...RESOURCES.slice(0, count).map((name) => resourcePlan(name, count))))
  .map((resources) => ({ resources: resources.map((plan) => prune(plan, resources)) }));

const conventions = fc.record({
  softDelete: fc.boolean(),
  tenant: fc.boolean(),
  stamped: fc.boolean(),
  history: fc.boolean(),
  sortable: fc.nat(3).map((one) => one === 0),
  search: fc.array(fc.nat(11), { minLength: 1, maxLength: 3, size: "max" }),
});

/**
 * Models with conventions, whose rows an API can create: cycles of references can be null. One in three has searches,
 * whose indexes take long to create.
 */
export const conventionalModelPlan: fc.Arbitrary<ModelPlan> = fc
  .tuple(modelPlan, fc.array(conventions, { minLength: RESOURCES.length, maxLength: RESOURCES.length }), fc.nat(2))
  .map(([{ resources }, all, number]) => ({
    resources: withTenants(
      resources.map((plan, at) => ({
        ...plan,
        ...all[at],
        ...(number === 0 ? {} : { search: [] }),
        pointsAt: plan.pointsAt.map((one) => ({ ...one, nullable: one.nullable || one.to <= at })),
      })),
    ),
  }));

/**
 * A row that references one of a tenant has a tenant, too, and references its key. Calls of a store can give two tenants
 * references to one row, which is then not unique.
 */
function withTenants(resources: readonly ResourcePlan[]): readonly ResourcePlan[] {
  const has = new Set(resources.flatMap(({ tenant }, at) => (tenant === true ? [at] : [])));
  for (let size = -1; size < has.size; ) {
    size = has.size;
    for (const [at, { pointsAt }] of resources.entries()) if (pointsAt.some(({ to }) => has.has(to))) has.add(at);
  }
  return resources.map((plan, at): ResourcePlan => {
    if (!has.has(at)) return { ...plan, tenant: false };
    const pointsAt = plan.pointsAt.map((one) => ({ ...one, isOne: false, group: has.has(one.to) ? 0 : one.group }));
    return { ...plan, pointsAt, tenant: true, key: ["uuid"] };
  });
}

/** Leaves out what an index of MySQL couldn't contain. */
function prune(plan: ResourcePlan, all: readonly ResourcePlan[]): ResourcePlan {
  const isShort = (...kinds: readonly Kind[]): boolean => kinds.filter((kind) => LONG.has(kind)).length <= 2;
  const linkedTo = plan.linkedTo.filter((to) => isShort(...plan.key, ...(all[to]?.key ?? [])));
  const pointsAt = plan.pointsAt.filter((one) => {
    const kinds = referenced(all, one).map(({ kind }) => kind);
    return isShort(...kinds, ...plan.key);
  });
  return { ...plan, pointsAt, linkedTo };
}

/** Returns the fields that a reference leads to. */
function referenced(all: readonly ResourcePlan[], { to, group }: ReferencePlan): readonly PlannedField[] {
  const target = all[to] as ResourcePlan;
  const key = keyNames(target).map((name, at) => ({ name, kind: target.key[at] as Kind, nullable: false }));
  const groups = target.unique.map((fields) =>
    fields.map((at) => ({ name: FIELDS[at] as string, ...(target.fields[at] as FieldPlan) })),
  );
  const possible = groups.filter((fields) => fields.every(({ kind }) => REFERENCED_KINDS.has(kind)));
  return [key, ...possible][group % (possible.length + 1)] as readonly PlannedField[];
}

/** Names the fields of a reference: `ref0Id`, or `ref0Id0` and `ref0Id1`. */
function holding(all: readonly ResourcePlan[], { pointsAt }: ResourcePlan, at: number): readonly string[] {
  const fields = referenced(all, pointsAt[at] as ReferencePlan);
  return fields.length === 1 ? [`ref${at}Id`] : fields.map((_, part) => `ref${at}Id${part}`);
}

/** Every field that rows are written with, the key first. */
export function fieldsOf({ resources }: ModelPlan, plan: ResourcePlan): readonly PlannedField[] {
  return [
    ...keyNames(plan).map((name, at) => ({ name, kind: plan.key[at] as Kind, nullable: false })),
    ...plan.fields.map((field, at) => ({ name: FIELDS[at] as string, ...field })),
    ...plan.pointsAt.flatMap((one, at) => {
      const target = resources[one.to] as ResourcePlan;
      const names = holding(resources, plan, at);
      // One missing part is enough for no reference.
      return referenced(resources, one).map(({ kind }, part) => {
        const nullable = one.nullable && (names.length === 1 || part > 0);
        return { name: names[part] as string, kind, nullable, to: target.name };
      });
    }),
    ...(plan.softDelete === true ? [{ name: DELETED, kind: "moment" as const, nullable: true }] : []),
    ...(plan.tenant === true ? [{ name: TENANT, kind: "int32" as const, nullable: false, isTenant: true }] : []),
    ...(plan.stamped === true
      ? Object.keys(STAMPS).map((name) => ({ name, kind: "text" as const, nullable: true }))
      : []),
  ];
}

/** Returns the searched fields: `select`, or `ref0.select` along a reference. */
function searchOf({ resources }: ModelPlan, plan: ResourcePlan): readonly string[] {
  const textsOf = ({ fields }: ResourcePlan): readonly string[] =>
    fields.flatMap(({ kind }, at) => (kind === "text" || kind === "email" ? [FIELDS[at] as string] : []));
  const far = plan.pointsAt.flatMap(({ to }, at) =>
    textsOf(resources[to] as ResourcePlan).map((field) => `ref${at}.${field}`),
  );
  const all = [...textsOf(plan), ...far];
  return all.length === 0 ? [] : [...new Set((plan.search ?? []).map((n) => all[n % all.length] as string))];
}

export function keyNames({ key }: ResourcePlan): readonly string[] {
  return key.length === 1 ? ["id"] : key.map((_, at) => `key${at}`);
}

/** The model, as the library resolves it. */
export function createModel(plan: ModelPlan): Model {
  return defineApi({ resources: createResources(plan), store: memoryStore() }).model;
}

/** Returns further settings of a resource, such as its actions. They replace those of the plan. */
export type Extend = (plan: ResourcePlan, config: PlannedConfig) => object;

export interface PlannedConfig {
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** The fields with their kinds. */
  readonly planned: readonly PlannedField[];
  readonly relations: Readonly<Record<string, Relation>>;
}

export function createResources(plan: ModelPlan, extend: Extend = () => ({})): readonly AnyResource[] {
  return plan.resources.map((own) => createResource(plan, own, extend));
}

function createResource(model: ModelPlan, plan: ResourcePlan, extend: Extend): AnyResource {
  const planned = fieldsOf(model, plan);
  const references = plan.pointsAt.map((_, at) => holding(model.resources, plan, at));
  const isKeyed = new Set([...keyNames(plan), ...references.flat()]);
  const fields = Object.fromEntries(
    planned.map(({ name, kind, nullable }) => {
      const schema = VALUES[kind].schema();
      return [name, nullable ? schema.nullable() : schema];
    }),
  );
  // An index of MySQL can contain two text columns: the field and a single-column key.
  const isIndexed = ({ name, kind, isTenant }: PlannedField): boolean =>
    isTenant !== true && (isKeyed.has(name) || plan.key.length === 1 || !LONG.has(kind));
  const names = planned.filter(({ kind }) => !["texts", "numbers", "object", "json"].includes(kind)).filter(isIndexed);
  const relations = relationsOf(model, plan);
  const computed = Object.entries(relations).reduce<Record<string, unknown>>((all, [name, { kind, target }]) => {
    const to = model.resources.find((one) => one.name === target) as ResourcePlan;
    return isMany(kind) ? { ...all, ...relatedFieldsOf(name, fieldsOf(model, to)) } : all;
  }, {});
  const schemas = plan.hasVersion ? { ...fields, revision: VALUES.int32.schema() } : fields;
  const filterable = [...names.map(({ name }) => name), ...Object.keys(computed)];
  return defineResource(plan.name, {
    key: keyNames(plan),
    fields: schemas,
    ...(plan.hasVersion ? { version: "revision" } : {}),
    ...(plan.softDelete === true ? { softDelete: DELETED } : {}),
    ...(plan.tenant === true ? { tenant: { field: TENANT, of: shopOf } } : {}),
    ...(plan.stamped === true ? { generated: STAMPS } : {}),
    ...(plan.history === true ? { history: true } : {}),
    ...(plan.search === undefined ? {} : { search: searchOf(model, plan) }),
    relations,
    computed,
    unique: [
      ...plan.unique.map((group) => group.map((at) => FIELDS[at])),
      // `hasOne` requires a unique foreign key.
      ...plan.pointsAt.flatMap(({ isOne }, at) => (isOne ? [references[at]] : [])),
    ],
    filterable,
    sortable: plan.sortable === false ? [] : filterable,
    access: {
      read: allow,
      create: allow,
      update: allow,
      delete: allow,
      ...(plan.softDelete === true ? { deleted: allow } : {}),
    },
    ...(plan.softDelete === true ? { bulk: { delete: 50 } } : {}),
    ...extend(plan, { fields: schemas, planned, relations }),
  } as never);
}

function isMany(kind: string): boolean {
  return kind === "hasMany" || kind === "manyToMany";
}

export interface Relation {
  readonly kind: string;
  readonly target: string;
}

function relationsOf({ resources }: ModelPlan, plan: ResourcePlan): Record<string, Relation> {
  const own = resources.findIndex(({ name }) => name === plan.name);
  const found: Record<string, Relation> = {};
  const far = (one: ReferencePlan): readonly string[] => referenced(resources, one).map(({ name }) => name);
  for (const [at, one] of plan.pointsAt.entries()) {
    const target = resources[one.to] as ResourcePlan;
    found[`ref${at}`] = belongsTo(target.name, holding(resources, plan, at), { references: far(one) });
  }
  for (const other of resources) {
    for (const [at, one] of other.pointsAt.entries()) {
      if (one.to !== own) continue;
      const [fields, references] = [holding(resources, other, at), far(one)];
      found[`${other.name}By${at}`] = one.isOne
        ? hasOne(other.name, fields, { references })
        : hasMany(other.name, fields, { references });
    }
    for (const index of other.linkedTo) {
      const target = resources[index] as ResourcePlan;
      const through = `${other.name}_${target.name}`;
      const columns = (side: string, { key }: ResourcePlan): readonly string[] =>
        key.length === 1 ? [`${side}Id`] : key.map((_, part) => `${side}Id${part}`);
      const [from, to] = [columns("source", other), columns("target", target)];
      if (other.name === plan.name) found[`${target.name}Links`] = manyToMany(target.name, { through, from, to });
      if (target.name === plan.name)
        found[`${other.name}Backs`] = manyToMany(other.name, { through, from: to, to: from });
    }
  }
  return found;
}
