import type { HttpResponse } from "../../message/message.ts";
import type { QueryModel } from "../../model/model.ts";
import type { QueryCall } from "../../operation/operation.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, readQuery, run } from "../request/exchange.ts";
import type { ValueForm } from "../request/lower-list.ts";
import { applied } from "../request/negotiate.ts";
import { LIST_PARAMETERS } from "../request/parameters.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { inputParameters, readQueryInput } from "../request/query-input.ts";
import { respondResult } from "../response/respond.ts";
import { answerList, lowerRows } from "./handle-list.ts";
import { readKey } from "./handle-read.ts";
import { readBodyQuery } from "./read-body-query.ts";

type Headers = Readonly<Record<string, string>>;

/** Handles `GET /books/trending?year=2026`, or `GET /books/{id}/summary` for a query on one row. */
export function handleNamedQuery(exchange: Exchange, query: QueryModel, id?: string): MaybePromise<HttpResponse> {
  return answer(exchange, query, id, readQuery(exchange, parametersOf(query)), "text", {});
}

/** Handles `QUERY` at the same paths. The body has the same parameters, as JSON. */
export async function handleNamedQueryBody(exchange: Exchange, query: QueryModel, id?: string): Promise<HttpResponse> {
  const { tree, headers } = await readBodyQuery(exchange, parametersOf(query));
  return answer(exchange, query, id, tree, "wire", headers);
}

/** Rows have the parameters of lists as well. */
function parametersOf({ input, output }: QueryModel): readonly string[] {
  const own = inputParameters(input);
  return output === undefined ? [...own, ...LIST_PARAMETERS] : own;
}

function answer(
  exchange: Exchange,
  query: QueryModel,
  id: string | undefined,
  tree: QueryTree,
  form: ValueForm,
  headers: Headers,
): MaybePromise<HttpResponse> {
  const { resource } = exchange.target;
  const call: QueryCall = {
    name: query.name,
    ...(id === undefined ? {} : { key: readKey(resource, id) }),
    ...(query.input === undefined ? {} : { input: readQueryInput(query.input, tree, form) }),
    form: "wire",
  };
  if (query.output === undefined) {
    return answerList(exchange, { ...lowerRows(exchange, tree, form), query: call }, headers);
  }
  const operation = { kind: "query", resource: resource.name, query: call } as const;
  return mapMaybePromise(run(exchange, operation), (outcome) => {
    if (outcome.kind !== "result") return unexpectedOutcome(outcome);
    return respondResult(exchange, outcome, { ...headers, ...applied(exchange.preferences, "handling") });
  });
}
