import type { z } from "zod";
import type { Json } from "../../util/json.ts";
import type { WireType } from "../wire-type.ts";

/** One side of a zod schema: its wire form, and how to get there and back. */
export interface Shape {
  readonly type: WireType;
  /** `undefined` is a value as well: the field or member may be absent. */
  readonly absent: boolean;
  /** Wire form → the value on this side. Absent where both are the same. What is malformed stays, for zod to refuse. */
  readonly decode?: ((wire: unknown) => unknown) | undefined;
  /** The value on this side → wire form. Absent where both are the same. */
  readonly encode?: ((value: unknown) => Json) | undefined;
}

/** Which side of a schema: what callers write, or what is stored and answered. */
export type Side = "input" | "output";

/** A schema without a wire form; the definition has to change. */
export class NoWireForm extends Error {
  override readonly name = "NoWireForm";
  readonly fix: string;

  constructor(problem: string, fix: string) {
    super(problem);
    this.fix = fix;
  }
}

export function plain(type: WireType): Shape {
  return { type, absent: false };
}

/** Resolves a schema to its wire form on one side. Schemas on the way here, which are recursive, are JSON. */
export type ResolveShape = (schema: z.core.$ZodType, side: Side) => Shape;
