import type { z } from "zod";
import type { Json } from "../../util/json.ts";
import type { WireType } from "../wire-type.ts";

/** One side of a zod schema: its wire form and the conversions. */
export interface ValueShape {
  readonly type: WireType;
  /** Whether the value may be absent (`undefined`). */
  readonly absent: boolean;
  /**
   * Converts wire form to the value on this side. Absent if both are equal. Malformed values are returned unchanged for
   * zod to reject.
   */
  readonly decode?: ((wire: unknown) => unknown) | undefined;
  /** Converts the value on this side to wire form. Absent if both are equal. */
  readonly encode?: ((value: unknown) => Json) | undefined;
}

/** A side of a schema: the values that callers write, or those that are stored and returned. */
export type Side = "input" | "output";

/** A schema has no wire form, so the definition must change. */
export class NoWireForm extends Error {
  override readonly name = "NoWireForm";
  readonly fix: string;

  constructor(problem: string, fix: string) {
    super(problem);
    this.fix = fix;
  }
}

export function plain(type: WireType): ValueShape {
  return { type, absent: false };
}

/** Resolves one side of a schema to its wire form. Recursive occurrences become JSON. */
export type ResolveShape = (schema: z.core.$ZodType, side: Side) => ValueShape;
