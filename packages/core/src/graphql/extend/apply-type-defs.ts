import { type DocumentNode, extendSchema, GraphQLError, type GraphQLSchema, parse } from "graphql";
import type { Report } from "./report.ts";

/** The schema with what the SDL adds; the schema as it is, with every mistake reported, where the SDL has any. */
export function applyTypeDefs(
  schema: GraphQLSchema,
  typeDefs: string | readonly string[] | undefined,
  at: string,
  report: Report,
): GraphQLSchema {
  if (typeDefs === undefined) return schema;
  const document = parseTypeDefs(typeof typeDefs === "string" ? typeDefs : typeDefs.join("\n"), at, report);
  if (document === undefined) return schema;
  try {
    return extendSchema(schema, document);
  } catch (thrown) {
    // What is wrong with a document of definitions is thrown as one error, a paragraph each.
    for (const problem of (thrown as Error).message.split("\n\n")) report(at, problem, fixOf(problem));
    return schema;
  }
}

function parseTypeDefs(text: string, at: string, report: Report): DocumentNode | undefined {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown;
    const { line = 0, column = 0 } = thrown.locations?.[0] ?? {};
    report(at, `${thrown.message} (line ${line}, column ${column})`, "Write definitions as GraphQL's SDL has them.");
    return undefined;
  }
}

const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^Type ".*" already exists/, "Take another name, or write `extend type` to add fields to it."],
  [/^Field ".*" already exists/, "It is derived, and stays as it is: add a field of another name."],
  [/^Directive ".*" already exists/, "Take another name: this directive is there already."],
  [/^Unknown type /, "Define it, or take the name of a type that there is."],
  [/^Cannot extend type /, "Extend a type that there is, or define this one first."],
  [/^Unknown directive /, "Define it with `directive @name on …`."],
  [/^There can be only one /, "Define it once."],
];

function fixOf(problem: string): string {
  return FIXES.find(([pattern]) => pattern.test(problem))?.[1] ?? "Correct the definitions.";
}
