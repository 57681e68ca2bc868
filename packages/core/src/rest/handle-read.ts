import { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpResponse } from "../http/message.ts";
import type { Key, RelationModel, ResourceModel } from "../model/model.ts";
import { parseId } from "../operation/key.ts";
import { relationSelection } from "../operation/lower-selection.ts";
import type { Node, PageNode } from "../operation/outcome.ts";
import { about, type Exchange, readQuery, run, unexpected } from "./exchange.ts";
import { lowerListParts } from "./lower-list.ts";
import { lowerShape } from "./lower-shape.ts";
import { LIST_PARAMETERS, readFlag, SHAPE_PARAMETERS } from "./parameters.ts";
import { respondItem, respondPage, refuseNamed } from "./respond.ts";
import { hashTag, isNotModified } from "./conditional.ts";
import { serializeNode } from "./serialize-node.ts";
import { VARY } from "./vary.ts";

/** The key that a segment of the path is the id of; a malformed one is the id of no row. */
export function readKey(resource: ResourceModel, id: string): Key {
  const key = parseId(resource, id);
  if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${resource.name} with this id.`);
  return key;
}

/** `GET /books` */
export async function handleList(exchange: Exchange): Promise<HttpResponse> {
  const { target } = exchange;
  const tree = readQuery(exchange, LIST_PARAMETERS);
  const parts = lowerListParts(target, tree, []);
  const shape = lowerShape(target, tree);
  const count = readFlag(tree["count"], ["count"]) ? { count: true } : {};
  const { selection } = shape;
  const outcome = await run(exchange, { kind: "list", resource: target.resource.name, ...parts, ...count, selection });
  if (outcome.kind !== "page") return unexpected(outcome);
  refuseNamed(shape, outcome.denied);
  return respondPage(exchange, outcome.page, shape, parts.page, outcome.personal);
}

/** `GET /books/{id}` */
export async function handleGet(exchange: Exchange, id: string): Promise<HttpResponse> {
  const { resource } = exchange.target;
  const shape = lowerShape(exchange.target, readQuery(exchange, SHAPE_PARAMETERS));
  const { selection } = shape;
  const outcome = await run(exchange, { kind: "get", resource: resource.name, key: readKey(resource, id), selection });
  return outcome.kind === "item" ? respondItem(exchange, outcome, shape) : unexpected(outcome);
}

/** `GET /authors/{id}/books` and `GET /books/{id}/author`: one relation of one row. */
export async function handleNested(exchange: Exchange, id: string, relation: RelationModel): Promise<HttpResponse> {
  const { model, resource } = exchange.target;
  const nested = about(exchange, model.resources.get(relation.target) as ResourceModel);
  const tree = readQuery(exchange, relation.many ? LIST_PARAMETERS : SHAPE_PARAMETERS);
  const parts = relation.many ? lowerListParts(nested.target, tree, []) : undefined;
  const shape = lowerShape(nested.target, tree);
  const count = relation.many && readFlag(tree["count"], ["count"]);
  const selected = relationSelection({ model, relation, ...parts, count, selection: shape.selection });
  const selection = { fields: [], relations: [selected] };
  const outcome = await run(exchange, { kind: "get", resource: resource.name, key: readKey(resource, id), selection });
  if (outcome.kind !== "item") return unexpected(outcome);
  if (outcome.denied.includes(relation.name)) throw deniedRelation(exchange, relation);
  const start = `${relation.name}.`;
  refuseNamed(
    shape,
    outcome.denied.map((path) => (path.startsWith(start) ? path.slice(start.length) : path)),
  );
  const value = outcome.node[selected.as] as Node | PageNode | null | undefined;
  if (value === undefined) throw deniedRelation(exchange, relation);
  if (parts !== undefined) return respondPage(nested, value as PageNode, shape, parts.page, outcome.personal);
  if (value === null) throw new BifocalError("NOT_FOUND", `This ${resource.name} has no ${relation.name}.`);
  const body = serializeNode(shape.selection, value as Node);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-cache",
    ETag: hashTag(body),
    Vary: VARY,
  };
  if (isNotModified(exchange.request, headers.ETag)) return { status: 304, headers, body: null };
  return { status: 200, headers, body };
}

function deniedRelation({ context }: Exchange, { name }: RelationModel): BifocalError {
  if (context.caller.principal !== null) return new BifocalError("FORBIDDEN", `You may not read ${name}.`);
  return new BifocalError("UNAUTHENTICATED", `You may not read ${name} without a credential.`);
}
