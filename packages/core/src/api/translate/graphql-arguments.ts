import type { GraphQLField } from "graphql";
import { isPlainObject } from "../../errors/refuse.ts";
import { idOwner } from "../../graphql/ids.ts";
import { fieldOf } from "../../model/field-of.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import type { CompareFilter, Filter } from "../../operation/filter.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { RowCondition } from "../../operation/row-condition.ts";
import type { RelationSelection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import { enumNames } from "./graphql-variables.ts";
import { aggregationNames, pageArguments, searchText, termsOfSort } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import type { PrintContext } from "./print-context.ts";
import { type FilterObject, writeFilter } from "./write-filter.ts";

type Values = Readonly<Record<string, unknown>>;
type Field = GraphQLField<unknown, unknown>;

export function filterArgument(context: PrintContext, resource: ResourceModel, filter: Filter | undefined): Values {
  if (filter === undefined) return {};
  return {
    filter: writeFilter(context.model, resource, filter, (condition, own) => operandOf(context, condition, own)),
  };
}

/** With global ids, an id in a filter is that of a row of its resource. */
function operandOf(
  { model, ids }: PrintContext,
  { field, value, operator }: CompareFilter,
  resource: ResourceModel,
): unknown {
  const compared = fieldOf(resource, field);
  if (!ids.isGlobal || compared?.identifies !== true || typeof value === "boolean") return value;
  if (operator !== "eq" && operator !== "ne" && operator !== "in" && operator !== "notIn")
    notExpressible(`With global ids, GraphQL can't compare '${field}' by '${operator}'.`);
  const owner = idOwner(model, resource, compared);
  const format = (one: Json): unknown => {
    if (owner === undefined) return one;
    const id = ids.format(owner, one as Key);
    return ids.parse(owner, id) === one
      ? id
      : notExpressible(`No row has the id ${JSON.stringify(one)}, so GraphQL has no global id for it.`);
  };
  return Array.isArray(value) ? value.map(format) : format(value);
}

/** Writes `filter` and `search`. */
export function conditionArguments(
  context: PrintContext,
  resource: ResourceModel,
  { filter, search }: RowCondition,
): Values {
  return { ...filterArgument(context, resource, filter), search: search && searchText(search) };
}

/** Writes the arguments of a list. */
export function argumentsOfList(
  context: PrintContext,
  resource: ResourceModel,
  field: Field,
  list: Pick<RelationSelection, "filter" | "search" | "sort" | "page">,
): Values {
  const { sort, page } = list;
  return {
    ...conditionArguments(context, resource, list),
    sort: enumNames(field, "sort", termsOfSort(sort)),
    ...(page && pageArguments(resource, page)),
  };
}

/** Writes the arguments of `booksAggregate`. */
export function groupsArguments(
  context: PrintContext,
  resource: ResourceModel,
  field: Field,
  aggregation: Aggregation,
  condition: RowCondition,
): Values {
  const { groups, sort } = aggregationNames(aggregation);
  const { having, page } = aggregation;
  return {
    ...conditionArguments(context, resource, condition),
    groupBy: enumNames(field, "groupBy", groups),
    having: having && havingArgument(writeFilter(context.model, resource, having)),
    sort: enumNames(field, "sort", sort),
    ...pageArguments(resource, page),
  };
}

/** `avg.price` is an object in GraphQL. */
function havingArgument(having: FilterObject): FilterObject {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(having)) {
    const [measure = "", field] = name.split(".");
    if (Array.isArray(value)) result[name] = value.map((branch) => havingArgument(branch as FilterObject));
    else if (name === "not") result[name] = havingArgument(value as FilterObject);
    else if (field === undefined) result[name] = value;
    else result[measure] = { ...(isPlainObject(result[measure]) ? result[measure] : {}), [field]: value };
  }
  return result;
}
