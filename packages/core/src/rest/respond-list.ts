import type { HttpRequest, HttpResponse } from "../http/message.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import type { PageNode } from "../operation/outcome.ts";
import { formatId, keyOf } from "../operation/key.ts";
import type { Page } from "../operation/page.ts";
import { rowVersion } from "../util/row-version.ts";
import { hashTag, isNotModified } from "./conditional.ts";
import type { Exchange } from "./exchange.ts";
import type { Format } from "./formats/format.ts";
import { viewRow } from "./formats/view-rows.ts";
import { cacheControl, JSON_UTF8, NOSNIFF, notModified, varyOf } from "./headers.ts";
import { keepPage, type KeptPage, keptPage } from "./kept-pages.ts";
import type { Shape } from "./lower-shape.ts";
import { linkHeader, pageLinks } from "./page-links.ts";
import { refuseNamed } from "./respond.ts";
import { areFrozen, serializeNodes, serializePage } from "./serialize-node.ts";
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
  const kept = format === undefined ? keptOrNew(target.resource, shape, page) : undefined;
  const headers: Record<string, string> = {
    "Content-Type": format === undefined ? JSON_UTF8 : (format.contentType ?? format.mediaType),
    "Cache-Control": cacheControl(request, target.resource, personal),
    Vary: varyOf(target.vary, personal),
    Link:
      kept === undefined
        ? linkHeader(pageLinks(request, page, reading.page))
        : keptLink(kept, request, page, reading.page),
    ...NOSNIFF,
    ...more,
    ...format?.headers?.(target.resource),
  };
  if (page.total !== undefined) headers["Total-Count"] = String(page.total);
  if (kept !== undefined) {
    headers["ETag"] = kept.tag;
    return isNotModified(request, kept.tag) ? notModified(headers) : { status: 200, headers, body: kept.body };
  }
  const body = format === undefined ? serializePage(shape.selection, page) : await write(format, page);
  headers["ETag"] = hashTag(body);
  return isNotModified(request, headers["ETag"]) ? notModified(headers) : { status: 200, headers, body };

  async function write({ list, stream }: Format, { nodes, total }: PageNode): Promise<string> {
    const { model, resource } = target;
    const { selection } = shape;
    const rows = nodes.map((node) => viewRow(model, resource, selection, node));
    const view = createView(exchange, shape);
    if (list !== undefined) {
      const may = askPermissions(exchange);
      const links = pageLinks(request, page, reading.page);
      return list({ ...view, rows, links, total, isNested: reading.isNested === true, may });
    }
    const writer = stream?.(view);
    return writer === undefined ? "" : writer.head + rows.map(writer.row).join("") + writer.foot;
  }
}

/** Whole rows that are frozen make the same page each time; their versions say as much as their text. */
function keptOrNew(resource: ResourceModel, { selection }: Shape, { nodes }: PageNode): KeptPage | undefined {
  const isWhole = selection.fields.length === resource.fields.size && selection.relations.length === 0;
  if (!isWhole || nodes.length === 0) return undefined;
  const kept = keptPage(nodes);
  if (kept !== undefined || !areFrozen(nodes)) return kept;
  // A count of writes does not say whose.
  const tag = hashTag(
    nodes
      .map((node) => `${formatId(resource, keyOf(resource, node as Row))} ${rowVersion(resource, node as Row)}`)
      .join(),
  );
  return keepPage(nodes, serializeNodes(selection, nodes), tag);
}

/** Cursors are signed, which takes longer than to look whether they were. */
function keptLink(kept: KeptPage, request: HttpRequest, page: PageNode, asked: Page): string {
  const { hasNext, hasPrevious } = page;
  const key = `${request.prefix}${request.path}?${request.query} ${hasNext} ${hasPrevious}`;
  if (kept.link?.key !== key) kept.link = { key, header: linkHeader(pageLinks(request, page, asked)) };
  return kept.link.header;
}
