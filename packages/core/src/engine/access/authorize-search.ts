import { BifocalError } from "../../errors/bifocal-error.ts";
import type { FieldModel, RelationModel, ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { ALWAYS, andFilters, type Filter, orFilters } from "../../operation/filter.ts";
import type { Search } from "../../operation/search.ts";
import type { Scored, SortTerm } from "../../operation/sort.ts";
import type { OperationContext } from "../operation-context.ts";
import { decide, isAlways, isNever } from "./decide.ts";

/** The condition of a search, and the order by relevance. */
export interface AuthorizedSearch {
  readonly filter: Filter;
  readonly relevance: SortTerm;
}

type Operator = "hasWord" | "hasWordStart";
/** Returns the condition that a searched field of a row has a word. */
type SearchedField = (operator: Operator, word: string) => Filter;

/**
 * Builds the condition of a search from the fields that the caller can read on every row. Other fields are left out, so
 * that a search can't reveal their values: which fields that are depends on rules alone, and not on rows.
 */
export async function authorizeSearch(
  context: OperationContext,
  resource: ResourceModel,
  { words, start }: Search,
): Promise<AuthorizedSearch> {
  const fields: SearchedField[] = [];
  for (const path of resource.search) {
    const field = await searchedField(context, resource, path);
    if (field !== undefined) fields.push(field);
  }
  if (fields.length === 0) throw refusal(resource);
  const anywhere = (operator: Operator, word: string): Filter =>
    orFilters(...fields.map((field) => field(operator, word)));
  const filter = andFilters(...words.map((word) => anywhere("hasWord", word)), anywhere("hasWordStart", start));
  const score = [
    ...words.map((word) => fields.map((field, index): Scored => scored(field("hasWord", word), fields, index))),
    fields.flatMap((field, index): Scored[] => [
      scored(field("hasWord", start), fields, index),
      { filter: field("hasWordStart", start), points: 2 * (fields.length - index) - 1 },
    ]),
  ];
  return { filter: filter ?? ALWAYS, relevance: { path: ["~relevance"], descending: true, score } };
}

/** A word in an earlier field counts more. */
function scored(filter: Filter, fields: readonly SearchedField[], index: number): Scored {
  return { filter, points: 2 * (fields.length - index) };
}

async function searchedField(
  context: OperationContext,
  resource: ResourceModel,
  [first, second]: ResourceModel["search"][number],
): Promise<SearchedField | undefined> {
  if (second === undefined) return ownField(context, resource, first);
  const relation = resource.relations.get(first) as RelationModel;
  const target = resourceOf(context.engine.model, relation.target);
  const visible = await decide(context, target.access.read, target);
  if (isNever(visible) || !isAlways(await decide(context, relation.read, resource))) return undefined;
  const field = await ownField(context, target, second);
  return (
    field &&
    ((operator, word) => ({
      kind: "related",
      relation: relation.name,
      quantifier: "one",
      filter: andFilters(visible, field(operator, word)) ?? ALWAYS,
    }))
  );
}

async function ownField(
  context: OperationContext,
  resource: ResourceModel,
  name: string,
): Promise<SearchedField | undefined> {
  const { read } = resource.fields.get(name) as FieldModel;
  if (!isAlways(await decide(context, read, resource))) return undefined;
  return (operator, word) => ({ kind: "compare", field: name, operator, value: word });
}

function refusal({ plural }: ResourceModel): BifocalError {
  const message = `You can't search ${plural}, because you are not allowed to read any field that is searched.`;
  return new BifocalError("FORBIDDEN", message, { issues: [{ path: ["search"], message, code: "not_readable" }] });
}
