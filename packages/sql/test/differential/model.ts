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
} from "@bifocal/core";
import type { Model } from "@bifocal/core/store";
import fc from "fast-check";
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
  /**
   * Each entry creates a field, a `belongsTo`, and the inverse relation on the target. Contains indexes of resources
   * with a single key field.
   */
  readonly pointsAt: readonly { readonly to: number; readonly nullable: boolean; readonly isOne: boolean }[];
  readonly linkedTo: readonly number[];
}

export interface FieldPlan {
  readonly kind: Kind;
  readonly nullable: boolean;
}

/** Includes reserved words of SQL. */
const RESOURCES = ["order", "user", "bookTag"];
const FIELDS = ["select", "from", "createdAt", "aB2", "rank", "x_y"];
const KEY_KINDS: readonly Kind[] = ["text", "uuid", "int32", "integer", "enum", "email"];
/** MySQL indexes 3,072 bytes, enough for two text columns but not three. */
const LONG: ReadonlySet<Kind> = new Set(["text", "email", "enum", "time", "duration"]);
const UNIQUE_KINDS: ReadonlySet<Kind> = new Set([
  "text",
  "int32",
  "uuid",
  "enum",
  "date",
  "moment",
  "bigint",
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
      pointsAt: fc.array(fc.record({ to: index, nullable: fc.boolean(), isOne: fc.boolean() }), { maxLength: 2 }),
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

/** Only rows with a single key field can be referenced. */
function prune(plan: ResourcePlan, all: readonly ResourcePlan[]): ResourcePlan {
  const isSingle = (to: number): boolean => all[to]?.key.length === 1;
  const linkedTo = plan.linkedTo.filter((to) => isSingle(to) && plan.key.length === 1);
  return { ...plan, pointsAt: plan.pointsAt.filter(({ to }) => isSingle(to)), linkedTo };
}

export interface PlannedField {
  readonly name: string;
  readonly kind: Kind;
  readonly nullable: boolean;
  /** The resource that it references. */
  readonly to?: string;
}

/** Every field that rows are written with, the key first. */
export function fieldsOf({ resources }: ModelPlan, plan: ResourcePlan): readonly PlannedField[] {
  return [
    ...keyNames(plan).map((name, at) => ({ name, kind: plan.key[at] as Kind, nullable: false })),
    ...plan.fields.map((field, at) => ({ name: FIELDS[at] as string, ...field })),
    ...plan.pointsAt.map(({ to, nullable }, at) => {
      const target = resources[to] as ResourcePlan;
      return { name: `ref${at}Id`, kind: target.key[0] as Kind, nullable, to: target.name };
    }),
  ];
}

export function keyNames({ key }: ResourcePlan): readonly string[] {
  return key.length === 1 ? ["id"] : key.map((_, at) => `key${at}`);
}

/** The model, as the library resolves it. */
export function createModel(plan: ModelPlan): Model {
  const resources = plan.resources.map((own) => createResource(plan, own));
  return defineApi({ resources, store: memoryStore() }).model;
}

function createResource(model: ModelPlan, plan: ResourcePlan): AnyResource {
  const planned = fieldsOf(model, plan);
  const isKeyed = new Set([...keyNames(plan), ...plan.pointsAt.map((_, at) => `ref${at}Id`)]);
  const fields = Object.fromEntries(
    planned.map(({ name, kind, nullable }) => {
      const schema = VALUES[kind].schema();
      return [name, nullable ? schema.nullable() : schema];
    }),
  );
  // An index of MySQL can contain two text columns: the field and a single-column key.
  const isIndexed = ({ name, kind }: PlannedField): boolean =>
    isKeyed.has(name) || plan.key.length === 1 || !LONG.has(kind);
  const names = planned.filter(({ kind }) => !["texts", "numbers", "object", "json"].includes(kind)).filter(isIndexed);
  return defineResource(plan.name, {
    key: keyNames(plan),
    fields: plan.hasVersion ? { ...fields, revision: VALUES.int32.schema() } : fields,
    ...(plan.hasVersion ? { version: "revision" } : {}),
    relations: relationsOf(model, plan),
    unique: [
      ...plan.unique.map((group) => group.map((at) => FIELDS[at])),
      // `hasOne` requires a unique foreign key.
      ...plan.pointsAt.flatMap(({ isOne }, at) => (isOne ? [[`ref${at}Id`]] : [])),
    ],
    filterable: names.map(({ name }) => name),
    sortable: names.map(({ name }) => name),
    access: { read: allow, create: allow, update: allow, delete: allow },
  } as never);
}

function relationsOf({ resources }: ModelPlan, plan: ResourcePlan): Record<string, unknown> {
  const own = resources.findIndex(({ name }) => name === plan.name);
  const found: Record<string, unknown> = {};
  for (const [at, { to }] of plan.pointsAt.entries()) {
    found[`ref${at}`] = belongsTo((resources[to] as ResourcePlan).name, `ref${at}Id`);
  }
  for (const other of resources) {
    for (const [at, { to, isOne }] of other.pointsAt.entries()) {
      if (to !== own) continue;
      const name = `${other.name}By${at}`;
      found[name] = isOne ? hasOne(other.name, `ref${at}Id`) : hasMany(other.name, `ref${at}Id`);
    }
    for (const to of other.linkedTo) {
      const target = resources[to] as ResourcePlan;
      const through = `${other.name}_${target.name}`;
      if (other.name === plan.name)
        found[`${target.name}Links`] = manyToMany(target.name, { through, from: "sourceId", to: "targetId" });
      if (to === own)
        found[`${other.name}Backs`] = manyToMany(other.name, { through, from: "targetId", to: "sourceId" });
    }
  }
  return found;
}
