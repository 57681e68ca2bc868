import type { HttpResponse } from "../../message/message.ts";
import type { Exchange } from "../request/exchange.ts";
import { answerQuery, lowerWhole } from "./handle-list.ts";
import { deletedParameter, LIST_PARAMETERS } from "../request/parameters.ts";
import { AGGREGATE_PARAMETERS } from "../request/lower-aggregate.ts";
import { readBodyQuery } from "./read-body-query.ts";

/**
 * Handles `QUERY /books` (RFC 10008), whose JSON body is the whole list query. To follow the links of the response,
 * send `QUERY` with the same body: `page` in the URL overrides that of the body. `Location` is the URL of the
 * equivalent `GET` (§2.4).
 */
export async function handleQuery(exchange: Exchange): Promise<HttpResponse> {
  const { resource } = exchange.target;
  const known = [...LIST_PARAMETERS, ...AGGREGATE_PARAMETERS, ...deletedParameter(resource)];
  const { tree, headers } = await readBodyQuery(exchange, known);
  return answerQuery(exchange, lowerWhole(exchange, tree, "wire"), headers);
}
