import { getVariableValues, type GraphQLResolveInfo } from "graphql";
import type { PlanSource } from "../compile/plan.ts";
import { type Document, documentOf } from "../lower/document.ts";
import { initialCount, isDeferred } from "./directives.ts";

/** The document of one execution, with what of it comes later. Its variables are known to be right. */
export function partDocument(
  { schema, operation, fragments }: PlanSource,
  inputs: Readonly<Record<string, unknown>>,
): Document {
  const found = getVariableValues(schema, operation.variableDefinitions ?? [], { ...inputs });
  const variableValues = (found as { readonly variableValues: GraphQLResolveInfo["variableValues"] }).variableValues;
  return {
    ...documentOf({ schema, fragments: fragments as GraphQLResolveInfo["fragments"], variableValues }),
    parts: {
      isDeferred: (node) => isDeferred(node, variableValues),
      initialCount: (node) => initialCount(node, variableValues),
    },
  };
}
