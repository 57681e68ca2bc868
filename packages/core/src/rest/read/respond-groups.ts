import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import { groupTermName, measureName } from "../../model/measure.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { GroupsOutcome } from "../../operation/outcome.ts";
import type { GroupsView } from "../formats/format.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";
import { wholeShape } from "../request/lower-shape.ts";
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
import { askReferenced } from "../response/read-referenced.ts";
import { askPrincipal, createView } from "../response/view.ts";
import { pageInfoHeader } from "./page-info.ts";
import { linkHeader, pageLinks } from "./page-links.ts";

/** Responds with a page of groups and links to its neighbors. `Total-Count` is the number of groups on all pages. */
export function respondGroups(
  exchange: Exchange,
  aggregation: Aggregation,
  { page, personal }: Pick<GroupsOutcome, "page" | "personal">,
  more: Readonly<Record<string, string>>,
): MaybePromise<HttpResponse> {
  const { request, target, format } = exchange;
  if (format !== undefined && format.groups === undefined) throw notAcceptable(exchange);
  const links = pageLinks(request, page, aggregation.page);
  const noted = { personal };
  const view: GroupsView = {
    ...createView(exchange, wholeShape(target.resource)),
    groups: page.groups,
    terms: aggregation.groupBy.map(groupTermName),
    measures: aggregation.measures.map(measureName),
    links,
    total: page.total,
    principal: askPrincipal(exchange, noted),
    referenced: askReferenced(exchange, noted),
  };
  const body = format?.groups?.(view) ?? JSON.stringify(page.groups);
  return mapMaybePromise(body, (text) => {
    // Only after the body, because the format may have read the caller.
    const headers: Record<string, string> = {
      "Content-Type": format === undefined ? JSON_UTF8 : (format.contentType ?? format.mediaType),
      "Cache-Control": cacheControl(request, target.resource, noted.personal),
      Vary: varyOf(target.vary, noted.personal),
      Link: linkHeader(links),
      "Total-Count": totalCount(page),
      ...NOSNIFF,
      ...pageInfoHeader(exchange.preferences, page),
      ...more,
      ...format?.headers?.(target.resource),
    };
    const tag = hashTag(text);
    headers["ETag"] = tag;
    return isNotModified(request, tag) ? notModified(headers) : { status: 200, headers, body: text };
  });
}

function notAcceptable({ target }: Exchange): BifocalError {
  const types = [
    "application/json",
    ...target.formats.flatMap((one) => (one.groups === undefined ? [] : [one.mediaType])),
  ];
  const message = `Groups are available as ${types.join(" or ")}. Set 'Accept' accordingly.`;
  return new BifocalError("NOT_ACCEPTABLE", message);
}
