import { type Decimal, type FieldModel, type Json, parseDecimal, printDecimal } from "@bifocal/core/store";

/** Returns the function that converts the sum of a field, never null, from the text of a driver. */
export function sumDecoder({ type }: FieldModel): (raw: unknown) => Json {
  if (type.kind === "number") return Number;
  const scale = type.kind === "decimal" ? type.scale : 0;
  return (raw) => printDecimal(parseDecimal(String(raw)) as Decimal, scale);
}

/** Converts two sums, `high:low` with `high` counting in 2^32, of a column whose integers have `scale` digits after the point. */
export function halvesDecoder(scale: number): (raw: unknown) => Json {
  return (raw) => {
    const [high = "0", low = "0"] = String(raw).split(":");
    return printDecimal({ digits: (BigInt(high) << 32n) + BigInt(low), scale });
  };
}
