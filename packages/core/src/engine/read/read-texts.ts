import type { ListOperation } from "../../operation/operation.ts";
import { offeredTexts } from "../../operation/text-shape.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { ListQuery, RelatedTextQuery, Store, StorePage, TextQuery } from "../../store/store.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { OperationContext } from "../operation-context.ts";
import { Level } from "./level.ts";
import type { SelectionPlan, RelationPlan } from "./plan-selection.ts";
import { createPage, type ListPlan } from "./read-page.ts";
import { canFollow } from "./rewrite-related.ts";

/**
 * Lets the store produce the text of a list and everything below it in one read, if the caller accepts text and no rule
 * depends on the rows. Returns `undefined` if that isn't possible or the store declines.
 */
export function readTexts(
  context: OperationContext,
  operation: ListOperation,
  { plan, list, query }: { readonly plan: SelectionPlan; readonly list: ListPlan; readonly query: ListQuery },
): MaybePromise<RowPage | undefined> {
  const store = context.storeOf(plan.resource.name);
  if (store.listTexts === undefined || !plan.clean || plan.relations.length === 0 || computes(plan)) return undefined;
  if (query.count === true || list.page.size === 0) return undefined;
  const shape = offeredTexts(operation);
  if (shape === undefined) return undefined;
  const related = relatedQueries(context, store, plan);
  if (related === undefined) return undefined;
  const asked: TextQuery = { ...query, shape, related };
  return mapMaybePromise(store.listTexts(asked, context.deadline), (read) => {
    if (read === undefined) return undefined;
    const rows = read.texts.map(() => NOTHING);
    const result: StorePage = { rows, more: read.more, position: read.position };
    return new TextPage(createPage(context, list, result, new Level(plan, rows)), read.texts);
  });
}

/** Whether application code computes a field of any level. */
function computes({ computed, relations }: SelectionPlan): boolean {
  return computed.length > 0 || relations.some(({ plan }) => computes(plan));
}

const NOTHING = Object.freeze({});

class TextPage implements RowPage {
  readonly length: number;
  readonly texts: readonly string[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly cursor: RowPage["cursor"];

  constructor(page: RowPage, texts: readonly string[]) {
    this.length = texts.length;
    this.texts = texts;
    this.hasNext = page.hasNext;
    this.hasPrevious = page.hasPrevious;
    this.cursor = (index) => page.cursor(index);
  }

  write(): never {
    throw new Error("Internal error: this page only has the text of its rows.");
  }
}

/** Returns the queries of all nested relations; undefined unless the store contains all of them. */
function relatedQueries(
  context: OperationContext,
  store: Store,
  plan: SelectionPlan,
): TextQuery["related"] | undefined {
  const queries = new Map<string, RelatedTextQuery>();
  for (const relation of plan.relations) {
    const query = relatedQuery(context, store, relation);
    if (query === undefined) return undefined;
    queries.set(relation.as, query);
  }
  return queries;
}

function relatedQuery(context: OperationContext, store: Store, relation: RelationPlan): RelatedTextQuery | undefined {
  const { target, filter, sort, page, plan, goesBack } = relation;
  if (relation.groups !== undefined) return undefined;
  if (context.storeOf(target.name) !== store || page.size === 0) return undefined;
  if (page.after !== undefined || page.before !== undefined || page.fromEnd === true) return undefined;
  if (filter !== undefined && !canFollow(context, target, filter)) return undefined;
  const related = relatedQueries(context, store, plan);
  if (related === undefined) return undefined;
  const { offset } = page;
  return { resource: target, relation: relation.relation, filter, sort, limit: page.size, offset, goesBack, related };
}
