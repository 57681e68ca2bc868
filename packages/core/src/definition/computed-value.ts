import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";

/** The value of a computed field. Values that are computed from related rows have no type before the target is known. */
export type ComputedValue<Field> = Field extends { readonly schema: infer Schema extends ZodSchema }
  ? z.output<Schema>
  : Field extends { readonly aggregate: "count" }
    ? number
    : Field;

/**
 * The computed fields as actions and hooks of their own resource see them: their names, without their types. Without
 * names it is `{}`, the default of `defineResource`, so that TypeScript computes both types of the resource once.
 */
export type OwnComputed<Name extends string> = [Name] extends [never]
  ? {}
  : Readonly<Record<Name, { readonly schema: z.ZodUnknown }>>;
