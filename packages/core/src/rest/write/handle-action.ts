import type { HttpResponse } from "../../message/message.ts";
import type { ActionModel } from "../../model/model.ts";
import { parsePreconditions } from "../response/conditional.ts";
import { type Exchange, idempotencyOf, readQuery, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { readKey } from "../read/handle-read.ts";
import { lowerShape, selectShape } from "../request/lower-shape.ts";
import { SHAPE_PARAMETERS } from "../request/parameters.ts";
import { parseBody, type ParsedBody, parseOptionalBody } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { applied } from "../request/negotiate.ts";
import { respondItem, respondNothing, respondValue } from "../response/respond.ts";

/** Whether an action returns the row on which it is called. */
export function answersRow({ on, output }: ActionModel): boolean {
  return on === "item" && output === undefined;
}

/** Handles `POST /books/{id}/publish`, or `POST /books/discount` for an action on the whole resource. */
export async function handleAction(exchange: Exchange, action: ActionModel, id?: string): Promise<HttpResponse> {
  const { target, request, preferences } = exchange;
  const { resource } = target;
  const isRow = answersRow(action);
  const shape = lowerShape(exchange, readQuery(exchange, isRow ? SHAPE_PARAMETERS : []));
  const body = await readInput(exchange, action);
  const outcome = await run(exchange, {
    kind: "act",
    resource: resource.name,
    action: action.name,
    ...(id === undefined ? {} : { key: readKey(resource, id), ...parsePreconditions(request) }),
    ...(body === undefined ? {} : { input: body.value }),
    ...idempotencyOf(exchange),
    form: "wire",
    ...(isRow ? selectShape(exchange, shape) : { selection: { fields: [], relations: [] } }),
  });
  const headers = applied(preferences, ...(isRow ? (["return", "handling"] as const) : (["handling"] as const)));
  if (outcome.kind === "result") return respondValue(exchange, outcome.value, headers);
  if (outcome.kind === "nothing") return respondNothing(exchange, headers);
  if (outcome.kind !== "item") return unexpectedOutcome(outcome);
  if (preferences.return === "minimal") return respondNothing(exchange, { ...headers, ETag: `"${outcome.version}"` });
  return respondItem(exchange, outcome, shape, { headers });
}

async function readInput(exchange: Exchange, { input }: ActionModel): Promise<ParsedBody | undefined> {
  if (input?.optional === true) return parseOptionalBody(exchange, [JSON_TYPE]);
  const hasBody = input !== undefined || exchange.request.headers["content-type"] !== undefined;
  return hasBody ? parseBody(exchange, [JSON_TYPE]) : undefined;
}
