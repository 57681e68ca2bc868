import { keyOf, keyToken } from "../../operation/key.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { NodePage } from "../node.ts";
import type { Page } from "../../operation/page.ts";
import type { Document } from "../lower/document.ts";

/** Returns the range of a page after its first rows. */
export function restOf(whole: Page, first: NodePage): Page {
  const { length } = first;
  if (length === 0) return whole;
  const { offset: _, ...range } = whole;
  return { ...range, size: whole.size - length, after: first.cursor(length - 1) };
}

/** Returns the rest of a page that was read again as a whole, in which rows may have been created or deleted since. */
export function withoutFirst(resource: ResourceModel, again: NodePage, first: NodePage, size: number): NodePage {
  const token = (node: object): string => keyToken(keyOf(resource, node as Row));
  const sent = new Set(first.nodes.map(token));
  const left = [...again.nodes.keys()].filter((index) => !sent.has(token(again.nodes[index] as object)));
  const shown = left.slice(0, size - first.length);
  return {
    nodes: shown.map((index) => again.nodes[index] as NodePage["nodes"][number]),
    length: shown.length,
    hasNext: again.hasNext || shown.length < left.length,
    hasPrevious: true,
    cursor: (index) => again.cursor(shown[index] ?? 0),
  };
}

/**
 * Returns a document that selects the remaining rows of a page. The page's own fields are not deferred a second time.
 */
export function selectRest(document: Document): Document {
  const { parts } = document;
  if (parts === undefined) return document;
  const isOfPage = (typeName: string): boolean => typeName.endsWith("Connection") || typeName.endsWith("Edge");
  return {
    ...document,
    parts: { ...parts, isDeferred: (node, typeName) => !isOfPage(typeName) && parts.isDeferred(node, typeName) },
  };
}
