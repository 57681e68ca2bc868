import { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpResponse } from "../http/message.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import { formatId } from "../operation/key.ts";
import { wholeSelection } from "../operation/lower-selection.ts";
import type { ItemOutcome, PageNode } from "../operation/outcome.ts";
import type { Page } from "../operation/page.ts";
import { rowVersion } from "../util/row-version.ts";
import { hashTag, isNotModified, versionTag } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";
import type { Shape } from "./lower-shape.ts";
import { pageLinks } from "./page-links.ts";
import { areFrozen, serializeNode, serializeNodes } from "./serialize-node.ts";
import { VARY } from "./vary.ts";

const JSON_UTF8 = "application/json; charset=utf-8";
const PRIVATE = "private, no-cache";

/** What a caller names it must be allowed to read; what it does not name is left out in silence. */
export function refuseNamed(shape: Shape, denied: readonly string[]): void {
  const found = denied.find((path) => shape.named.some((name) => name === path || name.startsWith(`${path}.`)));
  if (found === undefined) return;
  const message = `You may not read '${found}'.`;
  const issues = [{ path: ["fields", found], message, code: "not_readable" }];
  throw new BifocalError("FORBIDDEN", message, { issues });
}

/** One row, with its tag; 304 where the client has it already. */
export function respondItem(
  { request, target }: Exchange,
  outcome: ItemOutcome,
  shape: Shape,
  { status = 200, location = false }: { readonly status?: number; readonly location?: boolean } = {},
): HttpResponse {
  refuseNamed(shape, outcome.denied);
  const { resource } = target;
  const body = serializeNode(shape.selection, outcome.node);
  const isPlain = shape.selection === wholeSelection(resource) && outcome.denied.length === 0;
  const tag = versionTag(outcome.version, body, isPlain);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const headers: Record<string, string> = {
    "Content-Type": JSON_UTF8,
    "Cache-Control": isRead ? cacheControl(resource, outcome.personal) : PRIVATE,
    ETag: tag,
    Vary: VARY,
  };
  if (location) headers["Location"] = locationOf(request.prefix, resource, outcome.key);
  if (isNotModified(request, tag)) return notModified(headers);
  return { status, headers, body };
}

export function locationOf(prefix: string, resource: ResourceModel, key: ItemOutcome["key"]): string {
  return `${prefix}/${resource.path}/${formatId(resource, key)}`;
}

/** A page of rows as a list, with links to the pages around it. */
export function respondPage(
  { request, target }: Exchange,
  page: PageNode,
  shape: Shape,
  asked: Page,
  personal: boolean,
): HttpResponse {
  const body = serializeNodes(shape.selection, page.nodes);
  const tag = pageTag(target.resource, shape, page, body);
  const headers: Record<string, string> = {
    "Content-Type": JSON_UTF8,
    "Cache-Control": cacheControl(target.resource, personal),
    ETag: tag,
    Vary: VARY,
    Link: pageLinks(request, page, asked),
  };
  if (page.total !== undefined) headers["Total-Count"] = String(page.total);
  if (isNotModified(request, tag)) return notModified(headers);
  return { status: 200, headers, body };
}

/** The versions of whole rows say as much as their text, which is ten times as long. */
function pageTag({ fields }: ResourceModel, { selection }: Shape, { nodes }: PageNode, body: string): string {
  const isWhole = selection.fields.length === fields.size && selection.relations.length === 0;
  if (!isWhole || !areFrozen(nodes)) return hashTag(body);
  return hashTag(nodes.map((node) => rowVersion(fields, node as Row)).join());
}

/** JSON that is no row. */
export function respondValue(status: number, value: unknown): HttpResponse {
  const headers = { "Content-Type": JSON_UTF8, "Cache-Control": PRIVATE, Vary: VARY };
  return { status, headers, body: JSON.stringify(value) };
}

export function respondNothing(headers: Readonly<Record<string, string>> = {}, status = 204): HttpResponse {
  return { status, headers: { "Cache-Control": PRIVATE, Vary: VARY, ...headers }, body: null };
}

function notModified(whole: Readonly<Record<string, string>>): HttpResponse {
  const { "Content-Type": _type, ...headers } = whole;
  return { status: 304, headers, body: null };
}

/** What the resource declares, for answers that are the same for everybody (RFC 9111 §5.2.2). */
function cacheControl({ cache }: ResourceModel, personal: boolean): string {
  if (cache === undefined || personal) return PRIVATE;
  const parts = [cache.public === true ? "public" : "private"];
  if (cache.maxAge !== undefined) parts.push(`max-age=${cache.maxAge}`);
  if (cache.staleWhileRevalidate !== undefined) parts.push(`stale-while-revalidate=${cache.staleWhileRevalidate}`);
  return parts.join(", ");
}
