/**
 * The part of a zod schema that types read. Comparing schemas with all of `z.ZodType` takes the compiler much longer, and
 * editors repeat it for each completion.
 */
export interface ZodSchema {
  readonly _zod: { readonly output: unknown; readonly input: unknown };
}
