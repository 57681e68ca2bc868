import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";

/** Cached texts of frozen rows. */
const TEXTS = new WeakMap<Node, string>();

/** Serializes rows to JSON. */
export function serializeNodes(selection: Selection, nodes: readonly Node[]): string {
  if (selection.relations.length > 0) return JSON.stringify(nodes.map((node) => toRepresentation(selection, node)));
  if (!areFrozen(nodes)) return JSON.stringify(nodes);
  let text = "[";
  for (const [index, node] of nodes.entries()) text += index === 0 ? frozenText(node) : `,${frozenText(node)}`;
  return `${text}]`;
}

export function serializePage(selection: Selection, { texts, nodes }: PageNode): string {
  return texts === undefined ? serializeNodes(selection, nodes) : `[${texts.join(",")}]`;
}

/** Whether the rows are immutable, because their store freezes them. */
export function areFrozen(nodes: readonly Node[]): boolean {
  return nodes.every((node) => Object.isFrozen(node));
}

/**
 * Serializes one row. Set `isKept` to false for a row that was just written: it is rarely requested soon, so caching
 * its text would cost more than it saves.
 */
export function serializeNode(selection: Selection, node: Node, isKept = true): string {
  if (selection.relations.length > 0) return JSON.stringify(toRepresentation(selection, node));
  return isKept && Object.isFrozen(node) ? frozenText(node) : JSON.stringify(node);
}

/** A store that deeply freezes its rows returns the same object for the same row. */
function frozenText(node: Node): string {
  let text = TEXTS.get(node);
  if (text === undefined) {
    text = JSON.stringify(node);
    TEXTS.set(node, text);
  }
  return text;
}

/**
 * Converts a node to REST's form: relations under their own names, pages as lists. Denied members are undefined, so
 * JSON omits them.
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
