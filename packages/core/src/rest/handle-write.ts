import type { HttpResponse } from "../http/message.ts";
import type { ResourceModel, RelationModel } from "../model/model.ts";
import { formatId } from "../operation/key.ts";
import type { CreateOperation } from "../operation/operation.ts";
import { parseIfMatch, prefersMinimal } from "./conditional.ts";
import { about, type Exchange, readQuery, run, unexpected } from "./exchange.ts";
import { readKey } from "./handle-read.ts";
import { lowerShape } from "./lower-shape.ts";
import { SHAPE_PARAMETERS } from "./parameters.ts";
import { JSON_TYPE, MERGE_PATCH, parseBody } from "./parse-body.ts";
import { mergeNested } from "./merge-patch.ts";
import { locationOf, respondItem, respondNothing, respondValue } from "./respond.ts";

const MINIMAL = { "Preference-Applied": "return=minimal" };

/** `POST /books` */
export async function handleCreate(exchange: Exchange, within?: CreateOperation["within"]): Promise<HttpResponse> {
  const { target, request } = exchange;
  const { resource, limits } = target;
  const shape = lowerShape(target, readQuery(exchange, SHAPE_PARAMETERS));
  const input = await parseBody(request, limits, [JSON_TYPE]);
  const created = { kind: "create", resource: resource.name, input, form: "wire", selection: shape.selection } as const;
  const outcome = await run(exchange, within === undefined ? created : { ...created, within });
  if (outcome.kind === "item" && !prefersMinimal(request)) {
    return respondItem(exchange, outcome, shape, { status: 201, location: true });
  }
  if ((outcome.kind !== "item" && outcome.kind !== "nothing") || outcome.key === undefined) return unexpected(outcome);
  const headers = { Location: locationOf(request.prefix, resource, outcome.key) };
  // Who may not read what it created still learns where it is.
  return respondNothing(outcome.kind === "item" ? { ...headers, ...MINIMAL } : headers, 201);
}

/** `POST /authors/{id}/books` */
export async function handleCreateWithin(
  exchange: Exchange,
  id: string,
  relation: RelationModel,
): Promise<HttpResponse> {
  const { model, resource } = exchange.target;
  const within = { resource: resource.name, key: readKey(resource, id), relation: relation.name };
  return handleCreate(about(exchange, model.resources.get(relation.target) as ResourceModel), within);
}

/** `PUT /books/{id}` */
export async function handleReplace(exchange: Exchange, id: string): Promise<HttpResponse> {
  const input = await parseBody(exchange.request, exchange.target.limits, [JSON_TYPE]);
  return write(exchange, "replace", id, input);
}

/** `PATCH /books/{id}`: a merge patch (RFC 7396), which `application/json` means as well. */
export async function handleUpdate(exchange: Exchange, id: string): Promise<HttpResponse> {
  const patch = await parseBody(exchange.request, exchange.target.limits, [MERGE_PATCH, JSON_TYPE]);
  return mergeNested(exchange, readKey(exchange.target.resource, id), patch, (input, version) =>
    write(exchange, "update", id, input, version),
  );
}

async function write(
  exchange: Exchange,
  kind: "replace" | "update",
  id: string,
  input: unknown,
  version?: string,
): Promise<HttpResponse> {
  const { target, request } = exchange;
  const { resource } = target;
  const shape = lowerShape(target, readQuery(exchange, SHAPE_PARAMETERS));
  const condition = version === undefined ? parseIfMatch(request) : { ifMatch: [version] };
  const written = { kind, resource: resource.name, key: readKey(resource, id), input, form: "wire" as const };
  const outcome = await run(exchange, { ...written, ...condition, selection: shape.selection });
  if (outcome.kind === "nothing") return respondNothing();
  if (outcome.kind !== "item") return unexpected(outcome);
  if (prefersMinimal(request)) return respondNothing({ ...MINIMAL, ETag: `"${outcome.version}"` });
  return respondItem(exchange, outcome, shape);
}

/** `DELETE /books/{id}` */
export async function handleRemove(exchange: Exchange, id: string): Promise<HttpResponse> {
  const { target, request } = exchange;
  readQuery(exchange, []);
  const key = readKey(target.resource, id);
  const outcome = await run(exchange, {
    kind: "remove",
    resource: target.resource.name,
    key,
    ...parseIfMatch(request),
  });
  if (outcome.kind !== "nothing") return unexpected(outcome);
  if (prefersMinimal(request)) return respondNothing(MINIMAL);
  return respondValue(200, { deleted: true, id: Array.isArray(key) ? formatId(target.resource, key) : key });
}

/** `PUT` and `DELETE /books/{id}/tags/{tagId}` */
export async function handleLink(
  exchange: Exchange,
  kind: "link" | "unlink",
  id: string,
  relation: RelationModel,
  targetId: string,
): Promise<HttpResponse> {
  const { model, resource } = exchange.target;
  readQuery(exchange, []);
  const target = readKey(model.resources.get(relation.target) as ResourceModel, targetId);
  const outcome = await run(exchange, {
    kind,
    resource: resource.name,
    key: readKey(resource, id),
    relation: relation.name,
    target,
  });
  return outcome.kind === "nothing" ? respondNothing() : unexpected(outcome);
}
