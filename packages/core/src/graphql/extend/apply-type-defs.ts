import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
} from "graphql";
import type { Report } from "../../model/resolve/draft.ts";
import { SEMANTIC_NON_NULL } from "../schema/semantic-non-null.ts";

/**
 * Returns the schema extended by the SDL. If the SDL has mistakes, reports all of them and returns the schema
 * unchanged.
 */
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
    return extendSchema(schema, withoutKnown(schema, document));
  } catch (thrown) {
    // graphql-js throws a single error for all mistakes, with one paragraph for each.
    for (const problem of (thrown as Error).message.split("\n\n")) report(at, problem, fixOf(problem));
    return schema;
  }
}

/** Leaves out a definition of `@semanticNonNull`, which a derived schema has if it has a marked field. */
function withoutKnown(schema: GraphQLSchema, { definitions, ...document }: DocumentNode): DocumentNode {
  const { name } = SEMANTIC_NON_NULL;
  if (!schema.getDirective(name)) return { ...document, definitions };
  const isKnown = (one: DefinitionNode): boolean => one.kind === Kind.DIRECTIVE_DEFINITION && one.name.value === name;
  return { ...document, definitions: definitions.filter((one) => !isKnown(one)) };
}

function parseTypeDefs(text: string, at: string, report: Report): DocumentNode | undefined {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown;
    const { line = 0, column = 0 } = thrown.locations?.[0] ?? {};
    report(at, `${thrown.message} (line ${line}, column ${column})`, "Use GraphQL's schema definition language (SDL).");
    return undefined;
  }
}

const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^Type ".*" already exists/, "Choose another name, or use `extend type` to add fields to the type."],
  [/^Field ".*" already exists/, "A generated field can't be replaced. Add a field with another name."],
  [/^Directive ".*" already exists/, "A directive with this name already exists. Choose another name."],
  [/^Unknown type /, "Define the type, or use the name of an existing one."],
  [/^Cannot extend type /, "Extend an existing type, or define this one first."],
  [/^Unknown directive /, "Define the directive with `directive @name on …`."],
  [/^There can be only one /, "Remove the duplicate definition."],
];

function fixOf(problem: string): string {
  return FIXES.find(([pattern]) => pattern.test(problem))?.[1] ?? "Fix the definitions.";
}
