import type { HttpResponse } from "../../message/message.ts";
import { isPlainObject, refuse } from "../../errors/refuse.ts";
import { type Exchange, readQuery } from "../request/exchange.ts";
import { answerQuery, lowerWhole } from "./handle-list.ts";
import { deletedParameter, rejectUnknownParameters, LIST_PARAMETERS, readObject } from "../request/parameters.ts";
import { AGGREGATE_PARAMETERS } from "../request/lower-aggregate.ts";
import { parseBody } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { writeQuery } from "./write-query.ts";

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

/** Returns the query in the body of a `QUERY` request, and `Location` unless its URL would be too long. */
export async function readBodyQuery(
  exchange: Exchange,
  known: readonly string[],
): Promise<{ readonly tree: QueryTree; readonly headers: { readonly Location?: string } }> {
  const { request, target } = exchange;
  const { value } = await parseBody(exchange, [JSON_TYPE]);
  if (!isPlainObject(value))
    refuse([], "invalid_query", 'A query must be an object: { "filter": { … }, "sort": [ … ] }.');
  rejectUnknownParameters(value, known);
  const { page } = readQuery(exchange, known.includes("page") ? ["page"] : []);
  const tree = (page === undefined ? value : { ...value, page: mergePage(value["page"], page) }) as QueryTree;
  const query = writeQuery(tree);
  const isShort = query !== undefined && query.length <= target.limits.http.queryLength;
  const same = query === "" ? request.path : `${request.path}?${query ?? ""}`;
  return { tree, headers: isShort ? { Location: request.prefix + same } : {} };
}

/** Keeps the size of the body unless the URL has a size. */
function mergePage(own: unknown, page: QueryTree[string]): object {
  const { size } = readObject(own, ["page"], "size");
  return { ...(size === undefined ? {} : { size }), ...readObject(page, ["page"], "page[size]=20") };
}
