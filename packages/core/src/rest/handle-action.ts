import type { HttpResponse } from "../http/message.ts";
import type { ActionModel } from "../model/model.ts";
import { type Exchange, readQuery, run, unexpected } from "./exchange.ts";
import { readKey } from "./handle-read.ts";
import { lowerShape } from "./lower-shape.ts";
import { SHAPE_PARAMETERS } from "./parameters.ts";
import { JSON_TYPE, parseBody } from "./parse-body.ts";
import { respondItem, respondNothing, respondValue } from "./respond.ts";

/** `POST /books/{id}/publish`, or `POST /books/discount` for an action on the whole resource. */
export async function handleAction(exchange: Exchange, action: ActionModel, id?: string): Promise<HttpResponse> {
  const { target, request } = exchange;
  const { resource, limits } = target;
  const answersRow = action.on === "item" && action.output === undefined;
  const shape = lowerShape(target, readQuery(exchange, answersRow ? SHAPE_PARAMETERS : []));
  const hasBody = action.input !== undefined || request.headers["content-type"] !== undefined;
  const input = hasBody ? { input: await parseBody(request, limits, [JSON_TYPE]) } : {};
  const outcome = await run(exchange, {
    kind: "act",
    resource: resource.name,
    action: action.name,
    ...(id === undefined ? {} : { key: readKey(resource, id) }),
    ...input,
    form: "wire",
    selection: answersRow ? shape.selection : { fields: [], relations: [] },
  });
  if (outcome.kind === "result") return respondValue(200, outcome.value);
  if (outcome.kind === "item") return respondItem(exchange, outcome, shape);
  return outcome.kind === "nothing" ? respondNothing() : unexpected(outcome);
}
