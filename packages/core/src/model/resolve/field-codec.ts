import type { Json } from "../../util/json.ts";
import type { FieldCodec } from "../model.ts";
import type { Shape } from "../shape/shape.ts";

/** How stored values become what user code sees; undefined where both are the same. */
export function codecOf({ absent, decode, encode }: Shape): FieldCodec | undefined {
  if (decode === undefined && encode === undefined && !absent) return undefined;
  // Stored is always null; to zod an optional value is `undefined`.
  const empty = absent ? undefined : null;
  return {
    toValue: (stored) => (stored === null ? empty : decode === undefined ? stored : decode(stored)),
    toStored: (value) => {
      if (value === null || value === undefined) return null;
      return encode === undefined ? (value as Json) : encode(value);
    },
  };
}
