import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { Page } from "../../operation/page.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { type Exchange, formatSelection } from "../request/exchange.ts";
import type { Format, ListView } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import {
  cacheControl,
  hashTag,
  isNotModified,
  JSON_UTF8,
  NOSNIFF,
  notModified,
  totalCount,
  varyOf,
} from "../response/headers.ts";
import type { ResponseShape } from "../request/lower-shape.ts";
import { keepSelectedPage, keepWholePage, type KeptPage } from "./kept-pages.ts";
import type { ListAnswer, ListReading } from "./list-reading.ts";
import { pageInfoHeader } from "./page-info.ts";
import { linkHeader, pageLinks } from "./page-links.ts";
import { type Representation, REPRESENTATION, serializeRows } from "../response/representation.ts";
import { askReferenced } from "../response/read-referenced.ts";
import { type StreamFormat, streamRows } from "./stream-rows.ts";
import { askPermissions, askPrincipal, createView, type Dependence } from "../response/view.ts";

/** Responds with a page of rows and links to its neighbors or, in a streaming format, with the whole list. */
export function respondList(
  exchange: Exchange,
  reading: ListReading,
  more: Readonly<Record<string, string>> = {},
): MaybePromise<HttpResponse> {
  const { format } = exchange;
  if (isStreamFormat(format) && !reading.isPaged) return streamRows(exchange, format, reading, more);
  return mapMaybePromise(reading.read(reading.page), (answer) => respondPage(exchange, reading, answer, more));
}

function isStreamFormat(format: Format | undefined): format is StreamFormat {
  return format?.stream !== undefined;
}

function respondPage(
  exchange: Exchange,
  { shape, page: asked, isNested = false }: ListReading,
  { page, personal }: ListAnswer,
  more: Readonly<Record<string, string>>,
): MaybePromise<HttpResponse> {
  const { request, target, format } = exchange;
  const isRows = format === undefined && page.texts === undefined;
  const writeRows = (): readonly Representation[] => page.write(REPRESENTATION, shape.selection);
  const whole = isRows && shape.isWhole === true ? writeRows() : undefined;
  const selected = isRows && whole === undefined ? keepSelectedPage(shape.selection, page) : undefined;
  const kept = whole === undefined ? selected : keepWholePage(target.resource, whole);
  const headers: Record<string, string> = {
    "Content-Type": format === undefined ? JSON_UTF8 : (format.contentType ?? format.mediaType),
    "Cache-Control": cacheControl(request, target.resource, personal),
    Vary: varyOf(target.vary, personal),
    Link: kept === undefined ? linkHeader(pageLinks(request, page, asked)) : keptLink(kept, request, page, asked),
    ...NOSNIFF,
    ...pageInfoHeader(exchange.preferences, page),
    ...more,
    ...format?.headers?.(target.resource),
  };
  if (page.total !== undefined) headers["Total-Count"] = totalCount(page);
  const answer = (body: string | Uint8Array, tag: string): HttpResponse => {
    headers["ETag"] = tag;
    return isNotModified(request, tag) ? notModified(headers) : { status: 200, headers, body };
  };
  if (kept !== undefined) return answer(kept.body, kept.tag);
  if (format !== undefined) {
    const links = pageLinks(request, page, asked);
    const noted = { personal };
    return writePage(exchange, format, shape, { page, links, isNested, noted }).then((body) => {
      // Writing the page may have evaluated rules that depend on the caller.
      headers["Cache-Control"] = cacheControl(request, target.resource, noted.personal);
      headers["Vary"] = varyOf(target.vary, noted.personal);
      return answer(body, hashTag(body));
    });
  }
  const body = page.texts === undefined ? serializeRows(whole ?? writeRows()) : `[${page.texts.join(",")}]`;
  return answer(body, hashTag(body));
}

async function writePage(
  exchange: Exchange,
  format: Format,
  shape: ResponseShape,
  {
    page,
    noted,
    ...parts
  }: Pick<ListAnswer, "page"> & Pick<ListView, "links" | "isNested"> & { readonly noted: Dependence },
): Promise<string> {
  const { list, stream } = format;
  const rows = page.write(ROW_VIEW, formatSelection(format, exchange.target, shape.selection));
  const { total, totalIsExact } = page;
  const view = createView(exchange, shape);
  if (list !== undefined) {
    const principal = askPrincipal(exchange, noted);
    const may = askPermissions(exchange, noted);
    const referenced = askReferenced(exchange, noted);
    return list({ ...view, ...parts, rows, total, totalIsExact, principal, may, referenced });
  }
  const writer = stream?.(view);
  return writer === undefined ? "" : writer.head + rows.map(writer.row).join("") + writer.foot;
}

/**
 * Signing cursors takes longer than looking them up. Pages of a `QUERY` aren't cached, because their query isn't in the
 * URL.
 */
function keptLink(kept: KeptPage, request: HttpRequest, page: RowPage, asked: Page): string {
  if (request.method === "QUERY") return linkHeader(pageLinks(request, page, asked));
  const { hasNext, hasPrevious } = page;
  const key = `${request.prefix}${request.path}?${request.query} ${hasNext} ${hasPrevious}`;
  if (kept.link?.key !== key) kept.link = { key, header: linkHeader(pageLinks(request, page, asked)) };
  return kept.link.header;
}
