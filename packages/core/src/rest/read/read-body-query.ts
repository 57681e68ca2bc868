import { isPlainObject, refuse } from "../../errors/refuse.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { type Exchange, readQuery } from "../request/exchange.ts";
import { rejectUnknownParameters, readObject } from "../request/parameters.ts";
import { parseBody } from "../request/parse-body.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { writeQuery } from "./write-query.ts";

/** Returns the query in the body of a `QUERY` request, and `Location` unless its URL would be too long. */
export async function readBodyQuery(
  exchange: Exchange,
  known: readonly string[],
): Promise<{ readonly tree: QueryTree; readonly headers: { readonly Location?: string } }> {
  const { request, target } = exchange;
  const { value } = await parseBody(exchange, [JSON_TYPE]);
  if (!isPlainObject(value))
    refuse([], "invalid_query", 'A query must be an object: { "filter": { … }, "sort": [ … ] }.');
  rejectUnknownParameters(value, known, target);
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
