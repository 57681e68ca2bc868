import {
  type FieldNode,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  type OperationDefinitionNode,
} from "graphql";
import type { Document } from "../lower/document.ts";
import { eachField } from "../lower/each-field.ts";

/**
 * Returns a function that finds all fields of an operation with the response name and the type of a field, inside and
 * outside deferred fragments. Those at one place of the result are among them.
 */
export function createSameFields(
  document: Document,
  operation: OperationDefinitionNode,
): (node: FieldNode) => readonly FieldNode[] {
  let groups: ReadonlyMap<FieldNode, ReadonlySet<FieldNode>> | undefined;
  return (node) => {
    groups ??= groupFields(document, operation);
    return [...(groups.get(node) ?? [node])];
  };
}

function groupFields(
  document: Document,
  operation: OperationDefinitionNode,
): ReadonlyMap<FieldNode, ReadonlySet<FieldNode>> {
  const { schema } = document;
  const byName = new Map<string, Set<FieldNode>>();
  const byNode = new Map<FieldNode, Set<FieldNode>>();
  const root = schema.getRootType(operation.operation);
  if (root !== undefined && root !== null) collect(operation.selectionSet, root.name);
  return byNode;

  function collect(selectionSet: FieldNode["selectionSet"], typeName: string): void {
    const type = schema.getType(typeName);
    eachField(selectionSet, typeName, document, (node) => {
      const name = `${typeName} ${(node.alias ?? node.name).value}`;
      const group = byName.get(name) ?? new Set();
      byName.set(name, group.add(node));
      byNode.set(node, group);
      const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
      const inner = field && getNamedType(field.type);
      if (inner === undefined || !isCompositeType(inner)) return;
      for (const { name } of isAbstractType(inner) ? schema.getPossibleTypes(inner) : [inner])
        collect(node.selectionSet, name);
    });
  }
}
