import { type GraphQLSchema, isObjectType, validateSchema } from "graphql";
import { DefinitionError, type DefinitionMistake } from "../../errors/definition-error.ts";
import { applyTypeDefs } from "./apply-type-defs.ts";
import { attachResolvers } from "./attach-resolvers.ts";
import { checkResolvers } from "./check-resolvers.ts";
import type { GraphqlExtension } from "./extension.ts";
import type { Report } from "../../model/resolve/draft.ts";
import { requireQuery } from "../schema/require-query.ts";
import type { Host } from "./host.ts";
import { mergeSchema } from "./merge-schema.ts";
import { withAllRoots, withoutEmptyRoots } from "./root-types.ts";

/** Adds the host's extensions to the derived schema. Throws a `DefinitionError` with all mistakes. */
export function extendWithHost(
  derived: GraphQLSchema,
  extensions: readonly GraphqlExtension[],
  host: Host,
): GraphQLSchema {
  const typeNames = new Set([...host.model.resources.values()].map(({ typeName }) => typeName));
  let schema = derived;
  for (const [index, extension] of extensions.entries()) {
    const at = extensions.length === 1 ? "graphql.extend" : `graphql.extend[${index}]`;
    schema = extendOnce(schema, extension, at);
  }
  return schema;

  function extendOnce(base: GraphQLSchema, extension: GraphqlExtension, at: string): GraphQLSchema {
    const mistakes: DefinitionMistake[] = [];
    const report: Report = (place, problem, fix) => void mistakes.push({ at: place, problem, fix });
    let extended = applyTypeDefs(withAllRoots(base), extension.typeDefs, `${at}.typeDefs`, report);
    if (extension.schema !== undefined) {
      const isShared = (name: string): boolean => typeNames.has(name);
      extended = mergeSchema(extended, extension.schema, isShared, `${at}.schema`, report);
    }
    refuse(mistakes);
    extended = withoutEmptyRoots(extended);
    const isAdded = (typeName: string, field: string): boolean =>
      !hasField(base, typeName, field) && hasField(extended, typeName, field);
    checkResolvers(extended, isAdded, host.model, extension, at, report);
    attachResolvers(extended, isAdded, extension, host, at, report);
    refuse(mistakes);
    if (extension.transform !== undefined) extended = extension.transform(extended);
    requireQuery(extended);
    for (const { message } of validateSchema(extended)) report(at, message, "Fix the definitions.");
    refuse(mistakes);
    return extended;
  }
}

function hasField(schema: GraphQLSchema, typeName: string, field: string): boolean {
  const type = schema.getType(typeName);
  return isObjectType(type) && Object.hasOwn(type.getFields(), field);
}

function refuse(mistakes: readonly DefinitionMistake[]): void {
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}
