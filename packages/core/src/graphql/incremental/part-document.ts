import type { GraphQLResolveInfo } from "graphql";
import { exactVariables } from "../compile/exact-variables.ts";
import type { PlanSource } from "../compile/plan.ts";
import { type Document, documentOf } from "../lower/document.ts";
import { initialCount, isDeferred } from "./directives.ts";

/** Creates the document of one execution with its deferred parts. Its variables must be valid. */
export function partDocument(
  { schema, operation, fragments }: PlanSource,
  inputs: Readonly<Record<string, unknown>>,
): Document {
  const found = exactVariables(schema, operation.variableDefinitions, inputs);
  if (found.errors !== undefined) throw found.errors[0];
  const { variableValues } = found;
  return {
    ...documentOf({ schema, fragments: fragments as GraphQLResolveInfo["fragments"], variableValues }),
    parts: {
      isDeferred: (node) => isDeferred(node, variableValues),
      initialCount: (node) => initialCount(node, variableValues),
    },
  };
}
