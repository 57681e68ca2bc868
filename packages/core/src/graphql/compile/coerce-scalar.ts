import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLScalarType, GraphQLString } from "graphql";
import { UNSURE } from "./unsure.ts";

/** Coerces the value of a variable. Throws `UNSURE` if the scalar does not accept it. */
export function coerceScalar(type: GraphQLScalarType, value: unknown): unknown {
  switch (type) {
    case GraphQLString:
      if (typeof value === "string") return value;
      break;
    case GraphQLID:
      if (typeof value === "string") return value;
      break;
    case GraphQLInt:
      if (typeof value === "number" && (value | 0) === value) return value;
      break;
    case GraphQLFloat:
      if (typeof value === "number" && Number.isFinite(value)) return value;
      break;
    case GraphQLBoolean:
      if (typeof value === "boolean") return value;
      break;
    default:
      return parse(type, value);
  }
  throw UNSURE;
}

function parse(type: GraphQLScalarType, value: unknown): unknown {
  let parsed: unknown;
  try {
    parsed = type.parseValue(value);
  } catch {
    throw UNSURE;
  }
  if (parsed === undefined) throw UNSURE;
  return parsed;
}
