import { type FieldNode, isObjectType } from "graphql";
import { fieldOf } from "../../model/field-of.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import {
  groupsAs,
  groupsSelection,
  relationAs,
  relationSelection,
  selectFields,
} from "../../lowering/lower-selection.ts";
import { lowerMeasures } from "../../lowering/lower-measures.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import { type Count, mergeCounts } from "../../operation/count.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { hasComputedId } from "../ids.ts";
import { needsOf } from "../extend/needs.ts";
import type { Document } from "./document.ts";
import { eachField } from "./each-field.ts";
import { aggregatedRelations } from "../schema/aggregated-relations.ts";
import { lowerAggregateField, selectedMeasures } from "./lower-aggregate.ts";
import { limitPage, lowerList } from "./lower-list.ts";
import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import type { FieldTarget } from "./field-target.ts";
import { shareSelection } from "./share-selection.ts";

type Path = readonly string[];

/** A selection that is being collected. Equal selections of one relation are merged. */
interface Draft {
  readonly resource: ResourceModel;
  readonly fields: Set<string>;
  readonly relations: Map<string, RelationDraft>;
  /** Groups of related rows. */
  readonly groups: Map<string, GroupsDraft>;
}

interface GroupsDraft {
  readonly relation: RelationModel;
  readonly condition: RowCondition;
  /** Without measures. */
  readonly aggregation: Aggregation;
  /** The names of the measures, merged from all fields that select the groups. */
  readonly measures: Set<string>;
}

interface RelationDraft {
  readonly relation: RelationModel;
  readonly list: CompleteListParts | undefined;
  readonly draft: Draft;
  /** Merged from all fields that select the page. */
  asked: PageAsked;
}

/** The parts of a page that a document selects in addition to the fields of its rows. */
interface PageAsked {
  readonly count: Count;
  /** Number of rows to read at first. */
  readonly rows: number;
}

const COUNT_KEY: Readonly<Record<`${Count}`, string>> = { false: "", true: "#", exact: "##" };

const NOTHING: PageAsked = { count: false, rows: 0 };

/** Lowers everything that a field of the document selects of one row. */
export function lowerSelection(target: FieldTarget, nodes: readonly FieldNode[], document: Document): Selection {
  const draft = createDraft(target.resource, document);
  for (const node of nodes) collectRow(target, draft, node, document, []);
  return finishRoot(target, draft, document);
}

/**
 * Lowers everything that a field of the document selects of a page: its rows, how many of them are read at first, and
 * whether to count.
 */
export function lowerConnection(
  target: FieldTarget,
  nodes: readonly FieldNode[],
  document: Document,
): { readonly selection: Selection } & PageAsked {
  const draft = createDraft(target.resource, document);
  const asked = nodes.map((node) => collectPage(target, draft, node, document, []));
  return { selection: finishRoot(target, draft, document), ...asked.reduce(mergeAsked, NOTHING) };
}

function mergeAsked(a: PageAsked, b: PageAsked): PageAsked {
  return { count: mergeCounts(a.count, b.count), rows: Math.max(a.rows, b.rows) };
}

/** With incremental delivery, the key is always selected, because deferred parts find their row by it. */
function createDraft(resource: ResourceModel, { parts }: Document): Draft {
  return {
    resource,
    fields: new Set(parts === undefined ? [] : resource.key),
    relations: new Map(),
    groups: new Map(),
  };
}

function collectRow(target: FieldTarget, draft: Draft, parent: FieldNode, document: Document, path: Path): void {
  const { resource } = draft;
  eachField(parent.selectionSet, resource.typeName, document, (node) => {
    const name = node.name.value;
    const relation = resource.relations.get(name);
    if (relation !== undefined) collectRelation(target, draft, relation, node, document, [...path, name]);
    else if (groupsRelation(target, resource, name) !== undefined) collectGroups(target, draft, node, document, path);
    else if (name === "id" && hasComputedId(resource)) for (const part of resource.key) draft.fields.add(part);
    else if (fieldOf(resource, name)?.internal === false) draft.fields.add(name);
    // A field that a host added. The engine loads the fields that its resolver needs.
    else for (const need of needsOf(document.schema, resource, name)) draft.fields.add(need);
  });
}

function collectPage(target: FieldTarget, draft: Draft, parent: FieldNode, document: Document, path: Path): PageAsked {
  const { typeName } = draft.resource;
  const { parts } = document;
  let count: Count = false;
  // The end of a page is known only when all of its rows are, even if they are streamed.
  let rows = parts === undefined ? Infinity : 0;
  eachField(parent.selectionSet, `${typeName}Connection`, document, (node) => {
    const name = node.name.value;
    if (name === "totalCount" || name === "totalCountIsExact") count = mergeCounts(count, true);
    else if (name === "exactTotalCount") count = "exact";
    else if (name === "pageInfo") rows = Infinity;
    else if (name === "nodes" || name === "edges") rows = Math.max(rows, parts?.initialCount(node) ?? Infinity);
    if (name === "nodes") collectRow(target, draft, node, document, path);
    else if (name === "edges") {
      eachField(node.selectionSet, `${typeName}Edge`, document, (inner) => {
        if (inner.name.value === "node") collectRow(target, draft, inner, document, path);
      });
    }
  });
  return { count, rows };
}

function collectRelation(
  target: FieldTarget,
  parent: Draft,
  relation: RelationModel,
  node: FieldNode,
  document: Document,
  path: Path,
): void {
  const resource = target.model.resources.get(relation.target);
  if (resource === undefined) return;
  const list = relation.many
    ? lowerList({ ...target, resource }, argumentsOf(parent.resource, node, document), path)
    : undefined;
  const as = list === undefined ? relation.name : relationAs(relation, resource, list);
  let one = parent.relations.get(as);
  if (one === undefined) {
    one = { relation, list, draft: createDraft(resource, document), asked: NOTHING };
    parent.relations.set(as, one);
  }
  if (!relation.many) collectRow(target, one.draft, node, document, path);
  else one.asked = mergeAsked(one.asked, collectPage(target, one.draft, node, document, path));
}

/** Returns the relation of a field such as `booksAggregate`. */
function groupsRelation({ model }: FieldTarget, resource: ResourceModel, name: string): RelationModel | undefined {
  if (!name.endsWith("Aggregate") || resource.fields.has(name)) return undefined;
  return aggregatedRelations(model, resource).find((relation) => `${relation.name}Aggregate` === name);
}

function collectGroups(target: FieldTarget, parent: Draft, node: FieldNode, document: Document, path: Path): void {
  const name = node.name.value;
  const relation = groupsRelation(target, parent.resource, name) as RelationModel;
  const related = { ...target, resource: target.model.resources.get(relation.target) as ResourceModel };
  const args = argumentsOf(parent.resource, node, document);
  const { condition, aggregation } = lowerAggregateField(related, args, [], [...path, name]);
  const as = groupsAs(relation, aggregation, condition);
  let one = parent.groups.get(as);
  if (one === undefined) {
    one = { relation, condition, aggregation, measures: new Set() };
    parent.groups.set(as, one);
  }
  for (const measure of selectedMeasures(related, [node], document)) one.measures.add(measure);
}

function argumentsOf(parent: ResourceModel, node: FieldNode, document: Document): Readonly<Record<string, unknown>> {
  if ((node.arguments ?? []).length === 0) return {};
  const type = document.schema.getType(parent.typeName);
  const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
  return field === undefined ? {} : document.argumentsOf(field, node);
}

/** With incremental delivery, pages are shorter than their keys say, so such a selection isn't shared. */
function finishRoot(target: FieldTarget, draft: Draft, { parts }: Document): Selection {
  const make = (): Selection => finish(target, draft);
  return parts === undefined ? shareSelection(target.model, `${target.resource.name} ${keyOf(draft)}`, make) : make();
}

/** Drafts with the same key become equal selections. `as` contains the filter, the order and the page of a relation. */
function keyOf({ fields, relations, groups }: Draft): string {
  let key = "";
  for (const name of fields) key += `${name} `;
  for (const [as, { asked, draft }] of relations)
    key += `${as}${COUNT_KEY[String(asked.count) as `${Count}`]}{${keyOf(draft)}}`;
  for (const [as, { measures }] of groups) key += `${as}[${[...measures].join()}]`;
  return key;
}

function finish(target: FieldTarget, draft: Draft): Selection {
  const relations: RelationSelection[] = [];
  for (const { relation, list, draft: inner, asked } of draft.relations.values()) {
    const selection = finish(target, inner);
    const parts = { model: target.model, relation, ...list, selection };
    const selected = relationSelection({ ...parts, count: asked.count });
    // Keep the place of the whole page, because the rest is read into the same place.
    relations.push(
      selected.page === undefined ? selected : { ...selected, page: limitPage(selected.page, asked.rows) },
    );
  }
  for (const { relation, condition, aggregation, measures: names } of draft.groups.values()) {
    const related = target.model.resources.get(relation.target) as ResourceModel;
    const measures = lowerMeasures(related, names, []);
    relations.push(groupsSelection(relation, { ...aggregation, measures }, condition));
  }
  relations.sort((a, b) => (a.as < b.as ? -1 : 1));
  return { fields: selectFields(draft.resource, draft.fields), relations };
}
