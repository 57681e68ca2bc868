import type { HttpResponse } from "../http/message.ts";
import type { DeprecationModel, ResourceModel } from "../model/model.ts";
import { isPlainObject } from "../operation/refuse.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Exchange } from "./exchange.ts";
import { parseQuery } from "./parse-query.ts";

/** Says that what was asked for will go: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and links that tell more. */
export function withDeprecation(response: HttpResponse, exchange: Exchange, endpoint: Endpoint): HttpResponse {
  const fields = hasDeprecatedFields(endpoint.subject) ? usedFields(exchange, endpoint.subject) : [];
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

/** Whether any answer of an endpoint may have to say so. */
export function isDeprecating({ deprecation, subject }: Endpoint): boolean {
  return deprecation !== undefined || hasDeprecatedFields(subject);
}

const DEPRECATED = new WeakMap<ResourceModel, boolean>();

function hasDeprecatedFields(resource: ResourceModel): boolean {
  let has = DEPRECATED.get(resource);
  if (has === undefined) {
    has = resource.visibleFields.some(({ deprecation }) => deprecation !== undefined);
    DEPRECATED.set(resource, has);
  }
  return has;
}

/** Of the fields that the request names, in its query or its body. */
function usedFields({ request, notes }: Exchange, resource: ResourceModel): readonly DeprecationModel[] {
  const { fields, filter, sort } = parseQuery(request.query);
  const texts = [fields, sort].flat().filter((one) => typeof one === "string");
  const names = new Set(
    texts
      .join(",")
      .split(",")
      .map((name) => name.trim().replace(/^-/, "")),
  );
  const bodies: readonly unknown[] = Array.isArray(notes.body) ? notes.body : [notes.body];
  for (const members of [filter, ...bodies])
    if (isPlainObject(members)) for (const name of Object.keys(members)) names.add(name);
  return resource.visibleFields.flatMap(({ name, deprecation }) =>
    deprecation !== undefined && names.has(name) ? [deprecation] : [],
  );
}
