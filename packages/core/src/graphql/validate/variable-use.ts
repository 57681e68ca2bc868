import { type GraphQLInputType, isListType, isNonNullType } from "graphql";

/** The variables that an operation defines, and those that are still unused. */
export interface VariableUse {
  readonly types: ReadonlyMap<string, { readonly type: GraphQLInputType; readonly hasDefault: boolean }>;
  readonly unused: Set<string>;
}

/** Whether a variable may be used where this type is expected (§5.8.5). */
export function isPlainVariable(
  { types, unused }: VariableUse,
  name: string,
  wanted: GraphQLInputType,
  hasDefault: boolean,
): boolean {
  const found = types.get(name);
  if (found === undefined) return false;
  unused.delete(name);
  const isSafe = isNonNullType(wanted) && !isNonNullType(found.type) && (found.hasDefault || hasDefault);
  return isPart(found.type, isSafe ? wanted.ofType : wanted);
}

function isPart(given: GraphQLInputType, wanted: GraphQLInputType): boolean {
  if (given === wanted) return true;
  if (isNonNullType(wanted)) return isNonNullType(given) && isPart(given.ofType, wanted.ofType);
  if (isNonNullType(given)) return isPart(given.ofType, wanted);
  return isListType(given) && isListType(wanted) && isPart(given.ofType, wanted.ofType);
}
