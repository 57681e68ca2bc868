import { type Decimal, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import { type Average, averageDecoder, type ComparedColumn } from "../averages.ts";
import type { Sql } from "../dialect.ts";

type DecimalType = Extract<WireType, { readonly kind: "decimal" }>;

const MAX_PRECISION = 65;

/** Doubles divide correctly rounded as long as both operands are exact. */
export function average({ field }: Column, value: Sql, type: WireType): Average {
  if (type.kind === "decimal") return decimalAverage(value, type);
  const near = sql`(sum(${value}) + 0e0) / count(${value})`;
  const far = sql`cast(sum(${value}) as decimal(65,30)) / count(${value}) + 0e0`;
  const isNear = sql`abs(sum(${value})) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}`;
  const compared = field.type.kind === "number" ? near : sql`case when ${isNear} then ${near} else ${far} end`;
  return { compared: { value: compared }, read: { value: compared, readable: asText, decode: averageDecoder(type) } };
}

/**
 * MySQL and MariaDB round quotients, and have at most 30 digits after the point. An average of decimals is therefore an
 * integer that counts in its last digit. It follows from the integer part and the remainder of the quotient, which are
 * exact.
 */
function decimalAverage(value: Sql, type: DecimalType): Average {
  const unit = sql.raw(`1${"0".repeat(type.scale)}`);
  const count = sql`count(${value})`;
  const size = sql`abs(sum(${value}))`;
  const rest = sql`mod(${size}, ${count})`;
  const doubled = sql`(2 * ${rest} * ${unit} + ${count})`;
  const fraction = sql`(${doubled} - mod(${doubled}, 2 * ${count})) / (2 * ${count})`;
  const compared = sql`sign(sum(${value})) * (floor((${size} - ${rest}) / ${count}) * ${unit} + floor(${fraction}))`;
  return { compared: { value: compared }, read: { value: compared, readable: asText, decode: decoderOf(type) } };
}

export function averageAs(_: Column, type: WireType): ComparedColumn | undefined {
  if (type.kind !== "decimal") return undefined;
  return {
    type: { ...type, precision: MAX_PRECISION, scale: 0 },
    declared: `decimal(${MAX_PRECISION},0)`,
    encode(decimal) {
      const { digits, scale } = parseDecimal(decimal as string) as Decimal;
      return String(digits * 10n ** BigInt(type.scale - scale));
    },
    decode: decoderOf(type),
  };
}

function decoderOf(type: DecimalType): ComparedColumn["decode"] {
  return (raw) => {
    const { digits, scale } = parseDecimal(String(raw)) as Decimal;
    return printDecimal({ digits, scale: scale + type.scale }, type.scale);
  };
}

function asText(value: Sql): Sql {
  return sql`cast(${value} as char(100))`;
}
