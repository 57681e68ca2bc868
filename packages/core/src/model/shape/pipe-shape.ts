import { z } from "zod";
import { NoWireForm, type ResolveShape, type ValueShape, type Side } from "./value-shape.ts";

/**
 * Resolves a codec or a pipe. A codec is sent and stored in its input form. A pipe with a transform only works in one
 * direction: callers write its input side; its output side is stored and returned.
 */
export function pipeShape(
  schema: z.core.$ZodType,
  def: z.core.$ZodPipeDef,
  side: Side,
  resolve: ResolveShape,
): ValueShape {
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
