import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";

/** Prints a schema sorted by name, so that two builds differ only if the schemas differ. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
