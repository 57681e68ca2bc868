import type { z } from "zod";
import { NoWireForm } from "./value-shape.ts";

/** Rejects async schemas. Values are validated synchronously, so every write with such a schema would fail. */
export function refuseAsync(schema: z.core.$ZodType): void {
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
