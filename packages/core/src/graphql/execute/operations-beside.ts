import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";
import type { Operation } from "../../operation/operation.ts";
import { selectedFields } from "../compile/compiler.ts";
import { exactVariables } from "../compile/exact-variables.ts";
import { unlessUnsure } from "../compile/compile-root.ts";
import { documentOf } from "../lower/document.ts";
import { rootOf } from "../root-field.ts";
import type { Execution } from "./execution.ts";

/**
 * Returns the operations of root fields that graphql-js is going to execute. They are lowered only for their cost,
 * because a request that costs too much must not run any operation. A field that cannot be lowered costs nothing; its
 * error appears in the result.
 */
export function operationsBeside({ source, inputs }: Execution, selectionSet: SelectionSetNode): readonly Operation[] {
  const { schema, operation, fragments } = source;
  const type = schema.getRootType(operation.operation);
  if (type === null || type === undefined) return [];
  const found = exactVariables(schema, operation.variableDefinitions, inputs);
  if (found.errors !== undefined) return [];
  const { variableValues } = found;
  const document = documentOf({ schema, fragments: fragments as GraphQLResolveInfo["fragments"], variableValues });
  const name = { kind: Kind.NAME, value: operation.operation } as const;
  const fields = unlessUnsure(() => selectedFields(document, type, [{ kind: Kind.FIELD, name, selectionSet }])) ?? [];
  return fields.flatMap(({ field, node, nodes }) => {
    const root = rootOf(field?.subscribe ?? field?.resolve);
    if (field === undefined || root === undefined) return [];
    try {
      const lowered = root.lower(document.argumentsOf(field, node), root.select(nodes, document));
      return lowered === undefined ? [] : [lowered];
    } catch {
      return [];
    }
  });
}
