import type { Simplify } from "type-fest";
import type { z } from "zod";

/** The fields of a resource, with a zod schema each. */
export type FieldShape = Readonly<Record<string, z.ZodType>>;

/** A row as rules, actions and local results see it: the output type of every field. */
export type RowOf<Fields extends FieldShape> = Simplify<{ -readonly [K in keyof Fields]: z.output<Fields[K]> }>;

/** A row as a caller writes it: the input type of every field. Fields that zod allows to be absent are optional. */
export type InputOf<Fields extends FieldShape> = Simplify<
  { -readonly [K in RequiredKeys<Fields>]: z.input<Fields[K]> } & {
    -readonly [K in Exclude<keyof Fields, RequiredKeys<Fields>>]?: z.input<Fields[K]>;
  }
>;

type RequiredKeys<Fields extends FieldShape> = {
  [K in keyof Fields]: undefined extends z.input<Fields[K]> ? never : K;
}[keyof Fields];
