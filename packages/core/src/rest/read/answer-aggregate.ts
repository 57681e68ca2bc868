import type { HttpResponse } from "../../message/message.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, run } from "../request/exchange.ts";
import type { LoweredAggregate } from "../request/lower-aggregate.ts";
import { applied } from "../request/negotiate.ts";
import { respondGroups } from "./respond-groups.ts";

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
