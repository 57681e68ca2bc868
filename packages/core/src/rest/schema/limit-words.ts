import type { FieldModel } from "../../model/model.ts";
import { constraintsOf } from "../openapi/constraints.ts";

/** Schemas of integers have these bounds by default. */
const FAR = 2 ** 31 - 1;

/** Describes the values that a field accepts, beyond its type: `1 to 200 characters`, `at least 0`. */
export function limitWords({ schema, input }: Pick<FieldModel, "schema" | "input">): string | undefined {
  const found = constraintsOf(schema, input, "input");
  const of = (name: string): number | undefined => {
    const value = found[name];
    return typeof value === "number" && Math.abs(value) < FAR ? value : undefined;
  };
  const words = [
    between(of("minLength"), of("maxLength"), "characters"),
    between(of("minItems"), of("maxItems"), "items"),
    between(of("minimum"), of("maximum"), ""),
    of("exclusiveMinimum") === undefined ? undefined : `more than ${grouped(of("exclusiveMinimum"))}`,
    of("exclusiveMaximum") === undefined ? undefined : `less than ${grouped(of("exclusiveMaximum"))}`,
    of("multipleOf") === undefined ? undefined : `a multiple of ${of("multipleOf")}`,
  ].filter((text) => text !== undefined);
  return words.length === 0 ? undefined : words.join(", ");
}

function between(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const end = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined) {
    return least === most ? `exactly ${grouped(most)}${end}` : `${grouped(least)} to ${grouped(most)}${end}`;
  }
  if (least !== undefined) return `at least ${grouped(least)}${end}`;
  return most === undefined ? undefined : `at most ${grouped(most)}${end}`;
}

function grouped(value: number | undefined): string {
  return (value ?? 0).toLocaleString("en");
}
