import type { FieldModel, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { hasPlainText, type TextPart, type TextShape } from "../../operation/text-shape.ts";

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

const SHAPES = new WeakMap<Selection, TextShape | null>();

/**
 * Returns the template for the text of a selection's rows, for stores that can produce it. Returns undefined if the
 * type of a field needs special serialization.
 */
export function textShapeOf(model: Model, resource: ResourceModel, selection: Selection): TextShape | undefined {
  let shape = SHAPES.get(selection);
  if (shape === undefined) SHAPES.set(selection, (shape = rowText(model, resource, selection) ?? null));
  return shape ?? undefined;
}

function rowText(model: Model, resource: ResourceModel, { fields, relations }: Selection): TextShape | undefined {
  const parts: TextPart[] = ["{"];
  const name = (text: string): string => `${parts.length > 1 ? "," : ""}${JSON.stringify(text)}:`;
  for (const one of fields) {
    if (!hasPlainText(resource.fields.get(one) as FieldModel)) return undefined;
    parts.push(name(one), { kind: "field", name: one, isId: false });
  }
  for (const { relation, as, selection } of relations) {
    const { target, many } = resource.relations.get(relation) as RelationModel;
    const shape = rowText(model, model.resources.get(target) as ResourceModel, selection);
    if (shape === undefined) return undefined;
    if (many) parts.push(`${name(relation)}[`, { kind: "many", as, shape }, "]");
    else parts.push(name(relation), { kind: "one", as, shape });
  }
  return [...parts, "}"];
}
