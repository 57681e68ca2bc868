import { GraphQLError, type GraphQLSchema, isObjectType } from "graphql";

const UNKNOWN_FIELD = /^Cannot query field "(\w+)" on type "(\w+)Connection"\.$/;

/** Adds the fix to the error for `{ books { title } }`: the rows of a connection are in its `nodes`. */
export function suggestNodes(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const [, field = "", row = ""] = UNKNOWN_FIELD.exec(error.message) ?? [];
  const type = schema.getType(row);
  if (!isObjectType(type) || type.getFields()[field] === undefined) return error;
  const { nodes } = error;
  return new GraphQLError(`${error.message} Did you mean "nodes { ${field} }"?`, { nodes });
}
