import type { HttpResponse } from "../../message/message.ts";
import type { DeprecationModel, ResourceModel } from "../../model/model.ts";
import { CONNECTIVES } from "../../definition/operators.ts";
import { isPlainObject } from "../../errors/refuse.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Exchange } from "../request/exchange.ts";
import { parseQuery } from "../request/parse-query.ts";

/** Adds deprecation headers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and links to documentation. */
export function withDeprecation(response: HttpResponse, exchange: Exchange, endpoint: Endpoint): HttpResponse {
  const fields = usedFields(exchange, endpoint.subject);
  const all = endpoint.deprecation === undefined ? fields : [endpoint.deprecation, ...fields];
  if (all.length === 0) return response;
  const since = Math.min(...all.map((one) => one.since ?? 0));
  const ends = all.flatMap(({ sunset }) => (sunset === undefined ? [] : [sunset]));
  const links = all.flatMap(({ link }) => (link === undefined ? [] : [link]));
  const rels = [...new Set(links)].flatMap((href) => [
    `<${href}>; rel="deprecation"`,
    ...(ends.length > 0 ? [`<${href}>; rel="sunset"`] : []),
  ]);
  const link = [response.headers["Link"], ...rels].filter((one) => one !== undefined).join(", ");
  const headers = {
    ...response.headers,
    Deprecation: `@${since}`,
    ...(ends.length === 0 ? {} : { Sunset: new Date(Math.min(...ends) * 1_000).toUTCString() }),
    ...(link === "" ? {} : { Link: link }),
  };
  return { ...response, headers };
}

/** Returns the deprecated fields that the request names in its query or body. */
function usedFields({ request, notes }: Exchange, { deprecatedFields }: ResourceModel): readonly DeprecationModel[] {
  if (deprecatedFields.length === 0) return [];
  const names = new Set<string>();
  addQuery(names, parseQuery(request.query));
  if (request.method === "QUERY") addQuery(names, notes.body);
  else addBody(names, notes.body);
  return deprecatedFields.flatMap(({ name, deprecation }) =>
    deprecation !== undefined && names.has(name) ? [deprecation] : [],
  );
}

function addQuery(names: Set<string>, query: unknown): void {
  if (!isPlainObject(query)) return;
  const { fields, sort, filter } = query;
  // Some formats list fields by type.
  const lists = [isPlainObject(fields) ? Object.values(fields) : fields, sort].flat(2);
  for (const text of lists) {
    if (typeof text !== "string") continue;
    for (const name of text.split(",")) names.add(name.trim().replace(/^-/, ""));
  }
  addFilter(names, filter);
}

function addFilter(names: Set<string>, filter: unknown): void {
  if (Array.isArray(filter)) for (const one of filter) addFilter(names, one);
  if (!isPlainObject(filter)) return;
  for (const [name, value] of Object.entries(filter)) {
    names.add(name);
    if ((CONNECTIVES as readonly string[]).includes(name)) addFilter(names, value);
    // Numbered branches: `filter[or][0]`.
    else if (/^\d+$/.test(name)) addFilter(names, value);
  }
}

/** Collects the members of one or more rows, and the paths of a JSON Patch. */
function addBody(names: Set<string>, body: unknown): void {
  for (const one of Array.isArray(body) ? (body as readonly unknown[]) : [body]) {
    if (!isPlainObject(one)) continue;
    for (const name of Object.keys(one)) names.add(name);
    for (const pointer of [one["path"], one["from"]]) {
      if (typeof pointer === "string")
        names.add((pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~"));
    }
  }
}
