import type { HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import { lowerCount } from "../../lowering/lower-count.ts";
import type { Count } from "../../operation/count.ts";
import type { Page } from "../../operation/page.ts";
import { offerTexts } from "../../operation/text-shape.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { createLru, type Lru } from "../../util/lru.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, readQuery, readSelection, run } from "../request/exchange.ts";
import { lowerListParts, type ValueForm } from "../request/lower-list.ts";
import { lowerShape, type ResponseShape } from "../request/lower-shape.ts";
import { applied } from "../request/negotiate.ts";
import { LIST_PARAMETERS, refuseInitial } from "../request/parameters.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { textShapeOf } from "../response/text-shape-of.ts";
import type { ListAnswer } from "./list-reading.ts";
import { respondList } from "./respond-list.ts";

/** A lowered list query. It only depends on the query string. */
export interface LoweredList extends CompleteListParts {
  readonly shape: ResponseShape;
  readonly count: Count;
  readonly isPaged: boolean;
}

/** The document describes `initial` for event streams at this path. */
const WATCHED_LIST_PARAMETERS = [...LIST_PARAMETERS, "initial"];
const MAX_QUERY_LENGTH = 512;
/** Maximum size of all lists of one resource, in bytes. */
const MAX_BYTES = 2_097_152;
/** Estimated size of a lowered list in bytes, measured as live heap on Node 24. */
const LIST = 1_024;
const CHARACTER = 96;

const KNOWN = new WeakMap<ResourceModel, Lru<LoweredList>>();

/** Handles `GET /books`. */
export function handleList(exchange: Exchange): MaybePromise<HttpResponse> {
  const { target, request, format, preferences } = exchange;
  const lower = (): LoweredList => lowerWhole(exchange, readQuery(exchange, WATCHED_LIST_PARAMETERS), "text");
  const isPlain = format === undefined && preferences.handling !== "lenient";
  return answerList(exchange, isPlain ? rememberList(target.resource, request.query, lower) : lower());
}

/** Lowers a query string, or returns the cached result, because clients often repeat the same queries. */
function rememberList(resource: ResourceModel, query: string, lower: () => LoweredList): LoweredList {
  if (query.length > MAX_QUERY_LENGTH) return lower();
  let known = KNOWN.get(resource);
  if (known === undefined) {
    known = createLru(MAX_BYTES);
    KNOWN.set(resource, known);
  }
  const before = known.get(query);
  if (before !== undefined) return before;
  const lowered = lower();
  known.set(query, lowered, LIST + CHARACTER * query.length);
  return lowered;
}

/** Lowers a list query from the URL or from a body. */
export function lowerWhole(exchange: Exchange, tree: QueryTree, form: ValueForm): LoweredList {
  const { target } = exchange;
  refuseInitial(tree);
  return {
    ...lowerListParts(target, tree, [], form),
    shape: lowerShape(exchange, tree, form),
    count: lowerCount(target.resource, tree["count"], ["count"]),
    isPaged: tree["page"] !== undefined,
  };
}

export function answerList(
  exchange: Exchange,
  { filter, sort, page, shape, count, isPaged }: LoweredList,
  headers: Readonly<Record<string, string>> = {},
): MaybePromise<HttpResponse> {
  const { target, preferences } = exchange;
  const resource = target.resource.name;
  const selection = readSelection(exchange, shape);
  const { named } = shape;
  const read = (at: Page): MaybePromise<ListAnswer> => {
    const parts = { ...(filter === undefined ? {} : { filter }), ...(count === false ? {} : { count }) };
    const operation = { kind: "list", resource, sort, page: at, ...parts, selection, named } as const;
    const isText = exchange.format === undefined && selection.relations.length > 0;
    if (isText) offerTexts(operation, () => textShapeOf(target.model, target.resource, selection));
    return mapMaybePromise(run(exchange, operation), (outcome) =>
      outcome.kind === "page" ? outcome : unexpectedOutcome(outcome),
    );
  };
  return respondList(exchange, { shape, page, isPaged, read }, { ...headers, ...applied(preferences, "handling") });
}
