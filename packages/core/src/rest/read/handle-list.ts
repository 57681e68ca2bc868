import type { HttpResponse } from "../../message/message.ts";
import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import { lowerCount } from "../../lowering/lower-count.ts";
import { costOf } from "../../limits/cost.ts";
import { lowerDeleted } from "../../lowering/lower-deleted.ts";
import type { Count } from "../../operation/count.ts";
import type { DeletedRows } from "../../operation/deleted-rows.ts";
import type { QueryCall } from "../../operation/operation.ts";
import type { Page } from "../../operation/page.ts";
import { offerTexts } from "../../operation/text-shape.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, readQuery, readSelection, run } from "../request/exchange.ts";
import {
  AGGREGATE_PARAMETERS,
  type LoweredAggregate,
  lowerAggregateQuery,
  requestsGroups,
} from "../request/lower-aggregate.ts";
import { lowerListParts, type ValueForm } from "../request/lower-list.ts";
import { lowerShape, type ResponseShape } from "../request/lower-shape.ts";
import { applied } from "../request/negotiate.ts";
import { deletedParameter, LIST_PARAMETERS, refuseInitial } from "../request/parameters.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { createRememberQuery } from "../request/remember-query.ts";
import { textShapeOf } from "../response/text-shape-of.ts";
import { answerAggregate } from "./answer-aggregate.ts";
import { countsAt, type ListAnswer } from "./list-reading.ts";
import { respondList } from "./respond-list.ts";

/** A lowered list query. It only depends on the query string. */
export interface LoweredList extends CompleteListParts {
  readonly shape: ResponseShape;
  readonly count: Count;
  readonly deleted?: DeletedRows;
  readonly isPaged: boolean;
  /** The query that finds the rows. */
  readonly query?: QueryCall;
}

/** The document describes `initial` for event streams at this path. */
const WATCHED_LIST_PARAMETERS = [...LIST_PARAMETERS, ...AGGREGATE_PARAMETERS, "initial"];
type Lowered = LoweredList | LoweredAggregate;

const rememberQuery = createRememberQuery<Lowered>();

/** Handles `GET /books`. */
export function handleList(exchange: Exchange): MaybePromise<HttpResponse> {
  const known = (): readonly string[] => [...WATCHED_LIST_PARAMETERS, ...deletedParameter(exchange.target.resource)];
  return answerQuery(
    exchange,
    rememberQuery(exchange, () => lowerWhole(exchange, readQuery(exchange, known()), "text")),
  );
}

/** Lowers a list query from the URL or from a body. It requests rows or groups. */
export function lowerWhole(exchange: Exchange, tree: QueryTree, form: ValueForm): Lowered {
  if (requestsGroups(tree)) return lowerAggregateQuery(exchange.target, tree, form);
  refuseInitial(tree);
  return lowerRows(exchange, tree, form);
}

/** Lowers a list query that requests rows. */
export function lowerRows(exchange: Exchange, tree: QueryTree, form: ValueForm): LoweredList {
  const { target } = exchange;
  return {
    ...lowerListParts(target, tree, [], form),
    shape: lowerShape(exchange, tree, form),
    count: lowerCount(target.resource, tree["count"], ["count"]),
    ...lowerDeleted(target.resource, tree["deleted"]),
    isPaged: tree["page"] !== undefined,
  };
}

export function answerQuery(
  exchange: Exchange,
  lowered: Lowered,
  headers: Readonly<Record<string, string>> = {},
): MaybePromise<HttpResponse> {
  return "aggregation" in lowered
    ? answerAggregate(exchange, lowered, headers)
    : answerList(exchange, lowered, headers);
}

export function answerList(
  exchange: Exchange,
  { query, filter, search, sort, page, shape, count, deleted, isPaged }: LoweredList,
  headers: Readonly<Record<string, string>>,
): MaybePromise<HttpResponse> {
  const { target, preferences } = exchange;
  const resource = target.resource.name;
  const selection = readSelection(exchange, shape);
  const { named } = shape;
  const operationAt = (at: Page) => {
    const isCounted = count !== false && countsAt(at, isPaged);
    const parts = {
      ...(query && { query }),
      ...(filter === undefined ? {} : { filter }),
      ...(search && { search }),
      ...(isCounted ? { count } : {}),
      ...(deleted && { deleted }),
    };
    return { kind: "list", resource, sort, page: at, ...parts, selection, named } as const;
  };
  const read = (at: Page): MaybePromise<ListAnswer> => {
    const operation = operationAt(at);
    const isText = exchange.format === undefined && selection.relations.length > 0;
    if (isText) offerTexts(operation, () => textShapeOf(target.model, target.resource, selection));
    return mapMaybePromise(run(exchange, operation), (outcome) =>
      outcome.kind === "page" ? outcome : unexpectedOutcome(outcome),
    );
  };
  return respondList(
    exchange,
    {
      shape,
      page,
      isPaged,
      isNested: query !== undefined,
      read,
      emptyCost: () => costOf(operationAt({ size: 0 }), target.model),
    },
    { ...headers, ...applied(preferences, "handling") },
  );
}
