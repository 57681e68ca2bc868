import {
  allow,
  type AnyResource,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  sequence,
  uuid,
} from "@bifocal/core";
import type { Json, Model } from "@bifocal/core/store";
import fc from "fast-check";
import { z } from "zod";

/** A generated column: its kind, whether it is nullable, and how lists use it. */
export interface DrawnField {
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly unique: boolean;
  readonly filterable: boolean;
}

export type FieldKind = keyof typeof KINDS;

export interface DrawnModel {
  /** Fields of books by name. Fields with the same name have the same kind in every model. */
  readonly fields: Readonly<Record<string, DrawnField>>;
  readonly key: "uuid" | "sequence" | "integer";
  readonly author: "none" | "nullable" | "required";
  readonly hasTags: boolean;
  /** Whether books have soft delete. */
  readonly keepsDeleted: boolean;
  /** The key type of authors. Fields that reference authors have the same type. Default `uuid`. */
  readonly authorKey?: "uuid" | "integer" | "string";
  /** The reference of a book to its author: by a key of one field (the default) or two, or by a unique field. */
  readonly authorBy?: "key" | "wideKey" | "unique";
}

const KINDS = {
  string: { schema: () => z.string(), values: ["Ünï 'quoted' \\ \"code\"; -- no\n;", "", "x".repeat(200)] },
  integer: { schema: () => z.int32(), values: [0, -5, 2 ** 31 - 1] },
  wide: { schema: () => z.int(), values: [0, 2 ** 40, -(2 ** 50)] },
  number: { schema: () => z.number(), values: [0, 1.5, -2.25e10] },
  boolean: { schema: () => z.boolean(), values: [true, false] },
  date: { schema: () => z.iso.date(), values: ["2024-02-29", "1999-12-31"] },
  datetime: { schema: () => z.iso.datetime(), values: ["2024-02-29T12:00:00.000Z", "1999-12-31T23:59:59.123Z"] },
  uuid: { schema: () => z.uuid(), values: ["0b0f7a4e-3c0f-4d8e-9a45-0a2f3f1d6c11"] },
  object: { schema: () => z.object({ a: z.string() }), values: [{ a: "it's" }, { a: "\\" }] },
  list: { schema: () => z.array(z.string()), values: [["a", "b'c;\n"], []] },
  enum: { schema: () => z.enum(["draft", "out"]), values: ["draft", "out"] },
} as const satisfies Record<string, { schema: () => z.ZodType; values: readonly Json[] }>;

/** Returns the values of a kind of field. The first one is its default. */
export function valuesOf(kind: FieldKind): readonly Json[] {
  return KINDS[kind].values;
}

/** One name for each kind, so that a column that is kept has the same kind. */
const NAMES = Object.keys(KINDS) as readonly FieldKind[];
const HEAVY: ReadonlySet<FieldKind> = new Set(["object", "list"]);

const drawnField = (kind: FieldKind): fc.Arbitrary<DrawnField | undefined> =>
  fc.option(
    fc.record({
      kind: fc.constant(kind),
      nullable: fc.boolean(),
      hasDefault: fc.boolean(),
      unique: HEAVY.has(kind) ? fc.constant(false) : fc.boolean(),
      filterable: HEAVY.has(kind) ? fc.constant(false) : fc.boolean(),
    }),
    { nil: undefined },
  );

const drawnFields = fc
  .tuple(...NAMES.map(drawnField))
  .map((drawn) => Object.fromEntries(drawn.flatMap((one) => (one === undefined ? [] : [[`${one.kind}Field`, one]]))));

export const drawnModel: fc.Arbitrary<DrawnModel> = fc.record({
  fields: drawnFields,
  key: fc.constantFrom("uuid", "sequence", "integer"),
  author: fc.constantFrom("none", "nullable", "required"),
  hasTags: fc.boolean(),
  keepsDeleted: fc.boolean(),
});

/** Any field under any name, so that columns change their kind. */
export const anyModel: fc.Arbitrary<DrawnModel> = fc.record({
  fields: fc.dictionary(
    fc.constantFrom("one", "two", "three"),
    fc.constantFrom(...NAMES).chain((kind) => drawnField(kind).filter((field) => field !== undefined)),
    { noNullPrototype: true },
  ),
  key: fc.constantFrom("uuid", "sequence", "integer"),
  author: fc.constantFrom("none", "nullable", "required"),
  hasTags: fc.boolean(),
  keepsDeleted: fc.boolean(),
  authorKey: fc.constantFrom("uuid", "integer", "string"),
  authorBy: fc.constantFrom("key", "wideKey", "unique"),
});

const access = { read: allow, create: allow, update: allow, delete: allow };

function schemaOf({ kind, nullable, hasDefault }: DrawnField): z.ZodType {
  const plain: z.ZodType = nullable ? KINDS[kind].schema().nullable() : KINDS[kind].schema();
  return hasDefault ? plain.default(KINDS[kind].values[0] as never) : plain;
}

const AUTHOR_BY = {
  key: { holding: ["authorId"], referenced: ["id"], config: {} },
  wideKey: { holding: ["authorRealm", "authorId"], referenced: ["realm", "id"], config: { key: ["realm", "id"] } },
  unique: { holding: ["authorPen"], referenced: ["pen"], config: { unique: ["pen"] } },
} as const;

/** Returns the resources of a generated model: books, which may have an author and tags. */
export function resourcesOf({
  fields,
  key,
  author,
  hasTags,
  keepsDeleted,
  authorKey = "uuid",
  authorBy = "key",
}: DrawnModel): readonly AnyResource[] {
  const names = (is: (field: DrawnField) => boolean): readonly string[] =>
    Object.entries(fields).flatMap(([name, field]) => (is(field) ? [name] : []));
  const authorId = KINDS[authorKey].schema();
  const { holding, referenced: references, config: own } = AUTHOR_BY[authorBy];
  const schemas: Readonly<Record<string, z.ZodType>> = {
    authorId: author === "nullable" ? authorId.nullable() : authorId,
    authorRealm: z.int32(),
    authorPen: author === "nullable" ? z.string().nullable() : z.string(),
  };
  const config = {
    fields: {
      id: key === "uuid" ? z.uuid() : z.int32(),
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
      ...(author === "none" ? {} : Object.fromEntries(holding.map((name) => [name, schemas[name]]))),
      ...(keepsDeleted ? { deletedAt: z.iso.datetime().nullable() } : {}),
    },
    ...(keepsDeleted ? { softDelete: "deletedAt" } : {}),
    generated: key === "integer" ? {} : { id: key === "uuid" ? uuid() : sequence() },
    relations: {
      ...(author === "none" ? {} : { author: belongsTo("author", holding, { references }) }),
      ...(hasTags ? { tags: manyToMany("tag") } : {}),
    },
    unique: names((field) => field.unique).map((name) => [name]),
    filterable: names((field) => field.filterable),
    access,
  };
  const book = defineResource("book", config as never);
  const authors = defineResource("author", {
    fields: {
      id: authorId,
      name: z.string(),
      ...(authorBy === "wideKey" ? { realm: z.int32() } : {}),
      ...(authorBy === "unique" ? { pen: z.string() } : {}),
    },
    relations: author === "none" ? {} : { books: hasMany("book", holding, { references }) },
    access,
    ...own,
  } as never);
  const tag = defineResource("tag", {
    fields: { id: z.uuid(), label: z.string() },
    generated: { id: uuid() },
    access,
  });
  return [book, authors, ...(hasTags ? [tag] : [])];
}

/** Resolves the definitions. */
export function modelOf(resources: readonly AnyResource[]): Model {
  return defineApi({ resources, store: memoryStore() }).model;
}
