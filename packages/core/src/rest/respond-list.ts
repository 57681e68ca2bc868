import type { HttpResponse } from "../http/message.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import type { PageNode } from "../operation/outcome.ts";
import type { Page } from "../operation/page.ts";
import { rowVersion } from "../util/row-version.ts";
import { hashTag, isNotModified } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";
import type { Format } from "./formats/format.ts";
import { viewRow } from "./formats/view-rows.ts";
import { cacheControl, JSON_UTF8, NOSNIFF, notModified, varyOf } from "./headers.ts";
import type { Shape } from "./lower-shape.ts";
import { linkHeader, pageLinks } from "./page-links.ts";
import { refuseNamed } from "./respond.ts";
import { areFrozen, serializeNodes } from "./serialize-node.ts";
import { streamRows } from "./stream-rows.ts";
import { askPermissions, createView } from "./view.ts";

/** A list that can be read page by page. */
export interface ListReading {
  readonly shape: Shape;
  /** The page that was asked for. */
  readonly page: Page;
  /** The request says which page it wants. */
  readonly isPaged: boolean;
  /** The list is a relation of one row. */
  readonly isNested?: boolean;
  readonly read: (page: Page) => Promise<ListAnswer>;
}

export interface ListAnswer {
  readonly page: PageNode;
  readonly denied: readonly string[];
  readonly personal: boolean;
}

/** A page of rows with links to the pages around it, or, in a format that streams, the whole list. */
export async function respondList(
  exchange: Exchange,
  reading: ListReading,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const { request, target, format } = exchange;
  const { shape } = reading;
  if (format?.stream !== undefined && !reading.isPaged) return streamRows(exchange, format, reading, more);
  const { page, denied, personal } = await reading.read(reading.page);
  refuseNamed(shape, denied);
  const links = pageLinks(request, page, reading.page);
  const headers: Record<string, string> = {
    "Content-Type": format === undefined ? JSON_UTF8 : (format.contentType ?? format.mediaType),
    "Cache-Control": cacheControl(request, target.resource, personal),
    Vary: varyOf(target.vary, personal),
    Link: linkHeader(links),
    ...NOSNIFF,
    ...more,
    ...format?.headers?.(target.resource),
  };
  if (page.total !== undefined) headers["Total-Count"] = String(page.total);
  const known = format === undefined ? versionsTag(target.resource, shape, page) : undefined;
  if (known !== undefined) {
    headers["ETag"] = known;
    if (isNotModified(request, known)) return notModified(headers);
    return { status: 200, headers, body: serializeNodes(shape.selection, page.nodes) };
  }
  const body = format === undefined ? serializeNodes(shape.selection, page.nodes) : await write(format, page);
  headers["ETag"] = hashTag(body);
  return isNotModified(request, headers["ETag"]) ? notModified(headers) : { status: 200, headers, body };

  async function write({ list, stream }: Format, { nodes, total }: PageNode): Promise<string> {
    const { model, resource } = target;
    const { selection } = shape;
    const rows = nodes.map((node) => viewRow(model, resource, selection, node));
    const view = createView(exchange, selection);
    if (list !== undefined) {
      const may = askPermissions(exchange);
      return list({ ...view, rows, links, total, isNested: reading.isNested === true, may });
    }
    const writer = stream?.(view);
    return writer === undefined ? "" : writer.head + rows.map(writer.row).join("") + writer.foot;
  }
}

/** The versions of whole rows say as much as their text, which is ten times as long. */
function versionsTag(resource: ResourceModel, { selection }: Shape, { nodes }: PageNode): string | undefined {
  const isWhole = selection.fields.length === resource.fields.size && selection.relations.length === 0;
  if (!isWhole || !areFrozen(nodes)) return undefined;
  return hashTag(nodes.map((node) => rowVersion(resource, node as Row)).join());
}
