import type { Json } from "../../util/json.ts";
import type { FieldCodec } from "../model.ts";
import type { ValueShape } from "../shape/value-shape.ts";

/** Returns the conversion between stored and decoded values; undefined if both are equal. */
export function codecOf({ absent, decode, encode }: ValueShape): FieldCodec | undefined {
  if (decode === undefined && encode === undefined && !absent) return undefined;
  // Missing values are stored as null, but zod expects `undefined` for an optional value.
  const empty = absent ? undefined : null;
  return {
    toValue: (stored) => (stored === null ? empty : decode === undefined ? stored : decode(stored)),
    toStored: (value) => {
      if (value === null || value === undefined) return null;
      return encode === undefined ? (value as Json) : encode(value);
    },
  };
}
