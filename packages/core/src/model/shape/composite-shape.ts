import type { z } from "zod";
import type { Json } from "../../util/json.ts";
import type { WireMember, WireType, WireUnion } from "../wire-type.ts";
import { idOf, metaOf } from "./meta.ts";
import { standardOf } from "./standard.ts";
import { NoWireForm, plain, type ResolveShape, type ValueShape, type Side } from "./value-shape.ts";
import { canonicalJson } from "../../util/canonical-json.ts";

type Convert<Result> = ((value: unknown) => Result) | undefined;

/** Passes `null` and `undefined` through; the schema decides whether they are allowed. */
function whereGiven<Result>(convert: Convert<Result>): Convert<Result> {
  return convert && ((value) => (value === null || value === undefined ? (value as Result) : convert(value)));
}

export function arrayShape(def: z.core.$ZodArrayDef, side: Side, resolve: ResolveShape): ValueShape {
  return listShape(resolve(def.element, side));
}

function listShape(item: ValueShape): ValueShape {
  const each =
    <Result>(convert: Convert<Result>) =>
    (list: unknown): unknown =>
      Array.isArray(list) ? list.map((one) => whereGiven(convert)?.(one)) : list;
  return {
    type: { kind: "list", nullable: false, item: { ...item.type, nullable: item.type.nullable || item.absent } },
    absent: false,
    decode: item.decode && each(item.decode),
    encode: item.encode && (each(item.encode) as (value: unknown) => Json),
  };
}

export function tupleShape(def: z.core.$ZodTupleDef, side: Side, resolve: ResolveShape): ValueShape {
  const shapes = [...def.items, ...(def.rest === null ? [] : [def.rest])].map((item) => resolve(item, side));
  const item = mergeTypes(refuseConverted(shapes, "A tuple"));
  return plain({ kind: "list", nullable: false, item });
}

export function objectShape(
  schema: z.core.$ZodType,
  def: z.core.$ZodObjectDef,
  side: Side,
  resolve: ResolveShape,
): ValueShape {
  const shapes: [string, ValueShape][] = [];
  const members: WireMember[] = [];
  for (const [name, member] of Object.entries(def.shape)) {
    const shape = resolve(member, side);
    shapes.push([name, shape]);
    const standard = side === "input" ? standardOf(member, shape) : undefined;
    const described = { name, type: shape.type, optional: shape.absent, ...metaOf(member) };
    members.push(standard === undefined ? described : { ...described, default: standard });
  }
  const convert = (pick: "decode" | "encode"): Convert<unknown> => {
    const converted = shapes.flatMap(([name, shape]) =>
      shape[pick] ? [[name, whereGiven(shape[pick])] as const] : [],
    );
    if (converted.length === 0) return undefined;
    return (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      const copy: Record<string, unknown> = { ...value };
      for (const [name, by] of converted) if (Object.hasOwn(copy, name)) copy[name] = by?.(copy[name]);
      return copy;
    };
  };
  const [decode, encode] = [convert("decode"), convert("encode") as Convert<Json>];
  const isOpen = def.catchall !== undefined && def.catchall._zod.def.type !== "never";
  // An object type can't contain undeclared members.
  if (isOpen || members.length === 0) return { ...plain({ kind: "json", nullable: false }), decode, encode };
  const name = idOf(schema);
  const type = { kind: "object" as const, nullable: false, members };
  return { type: name === undefined ? type : { ...type, name }, absent: false, decode, encode };
}

export function recordShape(def: z.core.$ZodRecordDef, side: Side, resolve: ResolveShape): ValueShape {
  const value = resolve(def.valueType, side);
  const each =
    <Result>(convert: Convert<Result>) =>
    (record: unknown): unknown =>
      typeof record === "object" && record !== null && !Array.isArray(record)
        ? Object.fromEntries(Object.entries(record).map(([name, one]) => [name, whereGiven(convert)?.(one)]))
        : record;
  return {
    type: { kind: "json", nullable: false },
    absent: false,
    decode: value.decode && each(value.decode),
    encode: value.encode && (each(value.encode) as (value: unknown) => Json),
  };
}

export function unionShape(
  schema: z.core.$ZodType,
  def: z.core.$ZodUnionDef,
  side: Side,
  resolve: ResolveShape,
): ValueShape {
  const isNull = (option: z.core.$ZodType): boolean => option._zod.def.type === "null";
  const options = def.options.filter((option) => !isNull(option)).map((option) => resolve(option, side));
  const nullable = options.length < def.options.length;
  const absent = options.some((option) => option.absent);
  const [only] = options;
  if (only === undefined) return plain({ kind: "json", nullable: true });
  if (options.length === 1) return { ...only, type: { ...only.type, nullable: nullable || only.type.nullable } };
  const types = refuseConverted(options, "A union");
  const union = namedUnion(schema, def, types);
  const type = union === undefined ? mergeTypes(types) : { kind: "json" as const, nullable: false, union };
  return { type: { ...type, nullable: nullable || type.nullable }, absent };
}

/**
 * Returns undefined if an option has no name or no members beside the discriminator, or if the discriminator has
 * several values in one option.
 */
function namedUnion(
  schema: z.core.$ZodType,
  { discriminator }: z.core.$ZodUnionDef & { readonly discriminator?: string },
  types: readonly WireType[],
): WireUnion | undefined {
  if (discriminator === undefined) return undefined;
  const options: WireUnion["options"][number][] = [];
  for (const type of types) {
    if (type.kind !== "object" || type.name === undefined || type.members.length < 2) return undefined;
    const tag = type.members.find(({ name }) => name === discriminator)?.type;
    const [value, ...others] = tag?.kind === "enum" ? tag.values : [];
    if (value === undefined || others.length > 0) return undefined;
    options.push({ value, type });
  }
  if (new Set(options.map(({ type }) => type.name)).size < options.length) return undefined;
  const name = idOf(schema);
  return { ...(name === undefined ? {} : { name }), discriminator, options };
}

export function intersectionShape(def: z.core.$ZodIntersectionDef, side: Side, resolve: ResolveShape): ValueShape {
  const shapes = [resolve(def.left, side), resolve(def.right, side)];
  const [left, right] = refuseConverted(shapes, "An intersection") as [WireType, WireType];
  if (left.kind !== "object" || right.kind !== "object") return plain({ kind: "json", nullable: false });
  const own = left.members.filter(({ name }) => !right.members.some((other) => other.name === name));
  return plain({ kind: "object", nullable: false, members: [...own, ...right.members] });
}

/** JSON doesn't show which option of a union a value belongs to, so no option may need a conversion. */
function refuseConverted(shapes: readonly ValueShape[], what: string): readonly WireType[] {
  if (shapes.every(({ decode, encode }) => decode === undefined && encode === undefined)) {
    return shapes.map(({ type }) => type);
  }
  throw new NoWireForm(
    `${what} that contains a date, a bigint or a codec has no single JSON form.`,
    "Use a string instead: z.iso.datetime() or a string of digits.",
  );
}

/**
 * Returns the most specific type that covers several: their common type, an enum of all values, a number, a string, or
 * any JSON.
 */
function mergeTypes(types: readonly WireType[]): WireType {
  const nullable = types.some((type) => type.nullable);
  const distinct = [...new Map(types.map((type) => [canonicalJson({ ...type, nullable }), type])).values()];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return { ...only, nullable };
  const values = distinct.flatMap((type) => (type.kind === "enum" ? type.values : []));
  if (distinct.every((type) => type.kind === "enum")) return { kind: "enum", nullable, values: [...new Set(values)] };
  if (distinct.every((type) => type.kind === "integer" || type.kind === "number")) {
    if (distinct.every((type) => type.kind === "integer")) return { kind: "integer", nullable, wide: true };
    return { kind: "number", nullable };
  }
  const isText = distinct.every((type) => type.kind === "string" || type.kind === "enum" || type.kind in TEXT);
  return { kind: isText ? "string" : "json", nullable };
}

const TEXT: Readonly<Record<string, true>> = {
  uuid: true,
  email: true,
  url: true,
  date: true,
  datetime: true,
  time: true,
  duration: true,
  decimal: true,
};
