import type { HttpResponse } from "../../message/message.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, readQuery, run } from "../request/exchange.ts";
import { GROUP_PARAMETERS, type LoweredAggregate, lowerAggregateQuery } from "../request/lower-aggregate.ts";
import type { ValueForm } from "../request/lower-list.ts";
import { applied } from "../request/negotiate.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { readBodyQuery } from "./read-body-query.ts";
import { respondGroups } from "./respond-groups.ts";

/** Handles `GET /books/aggregate?group=genre`. Without `aggregate` and `group`, it counts the rows. */
export function handleAggregate(exchange: Exchange): MaybePromise<HttpResponse> {
  return answerTree(exchange, readQuery(exchange, GROUP_PARAMETERS), "text");
}

/** Handles `QUERY` at the same path. The body has the same parameters, as JSON. */
export async function handleAggregateBody(exchange: Exchange): Promise<HttpResponse> {
  const { tree, headers } = await readBodyQuery(exchange, GROUP_PARAMETERS);
  return answerTree(exchange, tree, "wire", headers);
}

function answerTree(
  exchange: Exchange,
  tree: QueryTree,
  form: ValueForm,
  headers?: Readonly<Record<string, string>>,
): MaybePromise<HttpResponse> {
  const isCount = tree["aggregate"] === undefined && tree["group"] === undefined;
  const asked = isCount ? { ...tree, aggregate: "count" } : tree;
  return answerAggregate(exchange, lowerAggregateQuery(exchange.target, asked, form), headers);
}

/** Handles `GET /books?aggregate=count&group=genre`. */
export function answerAggregate(
  exchange: Exchange,
  { condition, aggregation }: LoweredAggregate,
  headers: Readonly<Record<string, string>> = {},
): MaybePromise<HttpResponse> {
  const { target, preferences } = exchange;
  const operation = { kind: "aggregate", resource: target.resource.name, ...condition, ...aggregation } as const;
  return mapMaybePromise(run(exchange, operation), (outcome) => {
    if (outcome.kind !== "groups") return unexpectedOutcome(outcome);
    return respondGroups(exchange, aggregation, outcome, { ...headers, ...applied(preferences, "handling") });
  });
}
