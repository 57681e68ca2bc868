import { lowerCount } from "../../lowering/lower-count.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { Key, RelationModel, ResourceModel } from "../../model/model.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { Json } from "../../util/json.ts";
import { parsePreconditions } from "../response/conditional.ts";
import { about, type Exchange, idempotencyOf, readQuery, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import { readKey, readRelated } from "../read/handle-read.ts";
import { cacheControl, hashTag, isNotModified, NOSNIFF, notModified, varyOf } from "../response/headers.ts";
import { lowerListParts } from "../request/lower-list.ts";
import { linkHeader, pageLinks } from "../read/page-links.ts";
import { dataOf, readRelationship, writeRelationship } from "./linkage.ts";
import { readIdentifiers, referenceInput } from "./read-document.ts";
import { MEDIA_TYPE } from "./media-type.ts";
import { parseBody } from "../request/parse-body.ts";
import { respondNothing } from "../response/respond.ts";

/** Handles `GET /books/{id}/relationships/author`: returns the identifiers of the related rows. */
export async function handleRelationship(
  exchange: Exchange,
  id: string,
  relation: RelationModel,
): Promise<HttpResponse> {
  const { request, target, format } = exchange;
  const { model } = target;
  const far = model.resources.get(relation.target) as ResourceModel;
  const nested = about(exchange, far);
  const selection = { fields: far.key, relations: [] };
  const tree = readQuery(exchange, relation.many ? ["filter", "q", "sort", "page", "count"] : []);
  const list = relation.many ? lowerListParts(nested.target, tree, [], "text") : undefined;
  const parts = list === undefined ? {} : { ...list, count: lowerCount(far, tree["count"], ["count"]) };
  const { value, outcome } = await readRelated(exchange, nested, id, relation, { selection, named: [] }, parts);
  const page = list === undefined ? undefined : (value as RowPage);
  const rows = value === null ? null : value.write(ROW_VIEW, selection);
  const links = page && list && pageLinks(request, page, list.page);
  const body = writeRelationship({
    ...placeOf(exchange, id, relation),
    rows,
    links,
    total: page?.total,
    totalIsExact: page?.totalIsExact,
  });
  const headers: Record<string, string> = {
    "Content-Type": format?.contentType ?? format?.mediaType ?? MEDIA_TYPE,
    "Cache-Control": cacheControl(request, far, outcome.personal),
    Vary: varyOf(target.vary, outcome.personal),
    ...NOSNIFF,
    ...(links === undefined ? {} : { Link: linkHeader(links) }),
    ETag: hashTag(body),
  };
  return isNotModified(request, headers["ETag"] as string) ? notModified(headers) : { status: 200, headers, body };
}

/**
 * Handles `PATCH /books/{id}/relationships/author`, which sets the related row or removes it, and
 * `PATCH /books/{id}/relationships/tags`, which sets all links.
 */
export async function handleSetRelationship(
  exchange: Exchange,
  id: string,
  relation: RelationModel,
): Promise<HttpResponse> {
  const { model, resource } = exchange.target;
  const body = await readLinkage(exchange);
  const far = model.resources.get(relation.target) as ResourceModel;
  const outcome = await run(exchange, {
    kind: "update",
    resource: resource.name,
    key: readKey(resource, id),
    input: relation.many
      ? { [relation.name]: readIdentifiers(far, dataOf(body), "data") }
      : referenceInput(relation, readRelationship(body, model, relation)[0] ?? null),
    form: "wire",
    ...parsePreconditions(exchange.request),
    ...idempotencyOf(exchange),
    selection: { fields: resource.key, relations: [] },
  });
  return outcome.kind === "item" || outcome.kind === "nothing" ? respondNothing(exchange) : unexpectedOutcome(outcome);
}

/** Handles `POST` and `DELETE /books/{id}/relationships/tags`, which link or unlink all named rows or none. */
export async function handleLinkage(
  exchange: Exchange,
  kind: "link" | "unlink",
  id: string,
  relation: RelationModel,
): Promise<HttpResponse> {
  const { resource } = exchange.target;
  const key = readKey(resource, id);
  const { model } = exchange.target;
  const [target, ...more] = readRelationship(await readLinkage(exchange), model, relation) as readonly Key[];
  // An empty list changes nothing, but the row must exist.
  const operation =
    target === undefined
      ? ({ kind: "get", resource: resource.name, key, selection: { fields: resource.key, relations: [] } } as const)
      : ({
          kind,
          resource: resource.name,
          key,
          relation: relation.name,
          target,
          more,
          ...idempotencyOf(exchange),
        } as const);
  await run(exchange, operation);
  return respondNothing(exchange);
}

async function readLinkage(exchange: Exchange): Promise<Json> {
  readQuery(exchange, []);
  const { value } = await parseBody(exchange, [exchange.format?.mediaType ?? MEDIA_TYPE]);
  return value as Json;
}

function placeOf(
  { request, target }: Exchange,
  id: string,
  relation: RelationModel,
): { prefix: string; url: string; resource: ResourceModel; id: string; relation: RelationModel } {
  const { prefix, path, query } = request;
  const url = `${prefix}${path}${query === "" ? "" : `?${query}`}`;
  return { prefix, url, resource: target.resource, id, relation };
}
