import { z } from "zod";
import { arrayShape, intersectionShape, objectShape, recordShape, tupleShape, unionShape } from "./composite-shape.ts";
import { idOf } from "./meta.ts";
import { bigintShape, dateShape, numberShape, textShape, valuesShape } from "./scalar-shape.ts";
import { NoWireForm, plain, type ResolveShape, type ValueShape, type Side } from "./value-shape.ts";

/** Resolves the wire form of a schema. Throws `NoWireForm` if JSON can't represent it. */
export function resolveShape(schema: z.core.$ZodType, side: Side): ValueShape {
  const open = new Set<z.core.$ZodType>();
  const recursive = new Set<z.core.$ZodType>();
  const resolve: ResolveShape = (inner, on) => {
    if (open.has(inner)) {
      recursive.add(inner);
      return plain({ kind: "json", nullable: true });
    }
    open.add(inner);
    try {
      refuseAsync(inner);
      const shape = shapeOf(inner, on, resolve);
      if (recursive.has(inner) && (shape.decode ?? shape.encode) !== undefined) throw convertedWithin();
      return shape;
    } finally {
      open.delete(inner);
    }
  };
  return resolve(schema, side);
}

/** Inner occurrences of a recursive schema are plain JSON, whose values aren't converted. */
function convertedWithin(): NoWireForm {
  return new NoWireForm(
    "A recursive schema can't contain a date, a bigint or a codec.",
    "Use a string instead: z.iso.datetime() or a string of digits.",
  );
}

function shapeOf(schema: z.core.$ZodType, side: Side, resolve: ResolveShape): ValueShape {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "string":
    case "template_literal":
      return textShape(schema, side);
    case "number":
      return numberShape(schema);
    case "bigint":
      return bigintShape;
    case "boolean":
      return plain({ kind: "boolean", nullable: false });
    case "date":
      return dateShape;
    case "enum":
      return valuesShape([...(schema._zod.values ?? [])], idOf(schema));
    case "literal":
      return valuesShape(def.values, idOf(schema));
    case "null":
    case "any":
    case "unknown":
      return plain({ kind: "json", nullable: true });
    case "array":
      return arrayShape(def, side, resolve);
    case "tuple":
      return tupleShape(def, side, resolve);
    case "object":
      return objectShape(schema, def, side, resolve);
    case "record":
      return recordShape(def, side, resolve);
    case "union":
      return unionShape(schema, def, side, resolve);
    case "intersection":
      return intersectionShape(def, side, resolve);
    case "pipe":
      return pipeShape(schema, def, side, resolve);
    case "lazy":
      return resolve(def.getter(), side);
    case "readonly":
    case "catch":
      return resolve(def.innerType, side);
    case "nonoptional":
      return { ...resolve(def.innerType, side), absent: false };
    case "default":
    case "prefault":
      return { ...resolve(def.innerType, side), absent: side === "input" };
    case "optional":
      return { ...resolve(def.innerType, side), absent: true };
    case "nullable": {
      const shape = resolve(def.innerType, side);
      return { ...shape, type: { ...shape.type, nullable: true } };
    }
    default:
      throw new NoWireForm(
        `z.${def.type}() has no JSON form.`,
        "Use a type that JSON can represent, or z.codec() to convert to one.",
      );
  }
}

/** Rejects async schemas. Values are validated synchronously, so every write with such a schema would fail. */
function refuseAsync(schema: z.core.$ZodType): void {
  const def = schema._zod.def as object as Readonly<Record<string, unknown>>;
  const checks = (schema._zod.def.checks ?? []).map(({ _zod }) => (_zod.def as { readonly fn?: unknown }).fn);
  if (![...checks, def["transform"], def["reverseTransform"], transformOf(def["out"])].some(isAsync)) return;
  throw new NoWireForm(
    "The schema has an async refinement or transform, but values are validated synchronously.",
    "Move asynchronous work to a hook: hooks: { create: { before: async (context) => { … } } }.",
  );
}

/** Returns the transform at the end of a pipe. It has no wire form, so it isn't checked elsewhere. */
function transformOf(out: unknown): unknown {
  return (out as z.core.$ZodType | undefined)?._zod.def.type === "transform"
    ? (out as z.core.$ZodTransform)._zod.def.transform
    : undefined;
}

function isAsync(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object AsyncFunction]";
}

/**
 * Resolves a codec or a pipe. A codec is sent and stored in its input form. A pipe with a transform only works in one
 * direction: callers write its input side; its output side is stored and returned.
 */
function pipeShape(schema: z.core.$ZodType, def: z.core.$ZodPipeDef, side: Side, resolve: ResolveShape): ValueShape {
  if (def.reverseTransform !== undefined) return codecShape(schema, def, side, resolve);
  if (def.in._zod.def.type === "transform") return resolve(def.out, side);
  if (side === "input") return resolve(def.in, "input");
  if (def.out._zod.def.type === "transform") {
    throw new NoWireForm(
      "The schema ends in a transform, so its output type is unknown.",
      "Declare the output type: .transform(…).pipe(z.string()), or use z.codec() with both schemas.",
    );
  }
  return resolve(def.out, "output");
}

function codecShape(schema: z.core.$ZodType, def: z.core.$ZodPipeDef, side: Side, resolve: ResolveShape): ValueShape {
  const wire = resolve(def.in, "input");
  if (side === "input") return wire;
  const encode = wire.encode ?? ((value: unknown) => value as never);
  return {
    type: wire.type,
    absent: wire.absent,
    decode: (stored) => z.decode(schema, wire.decode === undefined ? stored : wire.decode(stored)),
    encode: (value) => encode(z.encode(schema, value)),
  };
}
