import { getVariableValues, type GraphQLResolveInfo } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { PlanSource } from "../compile/plan.ts";
import { type Document, documentOf } from "../lower/document.ts";
import { initialCount, isDeferred } from "./directives.ts";
import type { Api } from "./deferred-reads.ts";

/** The document of one execution, with what of it comes later. Its variables are known to be right. */
export function partDocument(
  { model }: Api,
  { schema, operation, fragments }: PlanSource,
  inputs: Readonly<Record<string, unknown>>,
): Document {
  const found = getVariableValues(schema, operation.variableDefinitions ?? [], { ...inputs });
  const variableValues = (found as { readonly variableValues: GraphQLResolveInfo["variableValues"] }).variableValues;
  const byType = new Map([...model.resources.values()].map((one) => [one.typeName, one]));
  return {
    ...documentOf({ schema, fragments: fragments as GraphQLResolveInfo["fragments"], variableValues }),
    parts: {
      isDeferred: (node, typeName) => isFindable(byType.get(typeName)) && isDeferred(node, variableValues),
      initialCount: (node) => initialCount(node, variableValues),
    },
  };
}

/** Whether all may read the key of a row: of one that cannot be found again everything is read at once. */
function isFindable(resource: ResourceModel | undefined): boolean {
  if (resource === undefined) return true;
  return resource.key.every((name) => {
    const field = resource.fields.get(name);
    return field?.internal === false && field.read.kind === "allow";
  });
}
