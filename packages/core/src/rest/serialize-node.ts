import type { Node, PageNode } from "../operation/outcome.ts";
import type { Selection } from "../operation/selection.ts";

/** Rows as JSON text. */
export function serializeNodes(selection: Selection, nodes: readonly Node[]): string {
  return JSON.stringify(
    selection.relations.length === 0 ? nodes : nodes.map((node) => toRepresentation(selection, node)),
  );
}

export function serializeNode(selection: Selection, node: Node): string {
  return JSON.stringify(toRepresentation(selection, node));
}

/**
 * A node as REST writes it: relations under their own names, pages as lists. What was denied has no value, so JSON
 * leaves it out.
 */
function toRepresentation(selection: Selection, node: Node): unknown {
  if (selection.relations.length === 0) return node;
  const row: Record<string, unknown> = {};
  for (const name of selection.fields) row[name] = node[name];
  for (const { relation, as, selection: inner } of selection.relations) {
    const value = node[as];
    if (value === undefined || value === null) row[relation] = value;
    else if (isPage(value)) row[relation] = value.nodes.map((one) => toRepresentation(inner, one));
    else row[relation] = toRepresentation(inner, value as Node);
  }
  return row;
}

function isPage(value: Node[string]): value is PageNode {
  return typeof value === "object" && value !== null && typeof (value as { cursor?: unknown }).cursor === "function";
}
