import type { Simplify } from "../util/simplify.ts";
import type { z } from "zod";
import type { ZodSchema } from "./zod-schema.ts";

/** The fields of a resource, with a zod schema each. */
export type FieldShape = Readonly<Record<string, ZodSchema>>;

/** A row as rules, actions and local results see it: the output type of every field. */
export type RowOf<Fields extends FieldShape> = Simplify<{ -readonly [K in keyof Fields]: z.output<Fields[K]> }>;

/**
 * A row as a caller writes it: the input type of every field that isn't hidden. Fields that zod allows to be absent are
 * optional. Most resources have none, and need only one mapped type.
 */
export type InputOf<Fields extends FieldShape, Hidden = never> =
  undefined extends z.input<Fields[Exclude<keyof Fields, Hidden>]>
    ? Simplify<
        {
          -readonly [K in keyof Fields as K extends Hidden
            ? never
            : undefined extends z.input<Fields[K]>
              ? never
              : K]: z.input<Fields[K]>;
        } & {
          -readonly [K in keyof Fields as K extends Hidden
            ? never
            : undefined extends z.input<Fields[K]>
              ? K
              : never]?: z.input<Fields[K]>;
        }
      >
    : { -readonly [K in keyof Fields as K extends Hidden ? never : K]: z.input<Fields[K]> };

/** The type of an id: the value of the key field, or an object if the key has several fields. */
export type IdOf<Row, Key> = Key extends readonly [infer Only extends keyof Row]
  ? Row[Only]
  : Key extends readonly (infer Each extends keyof Row)[]
    ? Simplify<Pick<Row, Each>>
    : Key extends keyof Row
      ? Row[Key]
      : unknown;
