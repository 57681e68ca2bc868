import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";

/** A schema as text, sorted by name, so that two builds differ only where the schemas do. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
