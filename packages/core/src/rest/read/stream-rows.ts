import type { HttpResponse } from "../../message/message.ts";
import { COUNT_COST, rowCost } from "../../limits/cost.ts";
import { whileValid } from "../../operation/while-valid.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Exchange } from "../request/exchange.ts";
import type { RouteTarget } from "../routes/route-target.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Format, StreamWriter } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import { cacheControl, NOSNIFF, totalCount, varyOf } from "../response/headers.ts";
import type { ListAnswer, ListReading } from "./list-reading.ts";
import { createView } from "../response/view.ts";
import { nextTurn } from "../../runtime/timers.ts";

/** Maximum number of rows in memory at once. */
const CHUNK = 500;

/**
 * Responds with a whole list of any length, which is read and written in chunks at the client's pace. Each chunk is
 * read after the last row of the previous one, and the rules run again. Rows that are written meanwhile may be missing
 * or included.
 */
export async function streamRows(
  exchange: Exchange,
  format: Format,
  { shape, read }: ListReading,
  more: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const { request, target } = exchange;
  const size = pieceSize(target.limits.query.cost, shape.selection);
  const first = await read({ size });
  // The headers are sent before later rows are read.
  const isPersonal = first.personal || (first.page.hasNext && mayBecomePersonal(target, shape.selection));
  const headers: Record<string, string> = {
    "Content-Type": format.contentType ?? format.mediaType,
    "Cache-Control": cacheControl(request, target.resource, isPersonal),
    Vary: varyOf(target.vary, isPersonal),
    ...NOSNIFF,
    ...more,
    ...format.headers?.(target.resource),
  };
  if (first.page.total !== undefined) headers["Total-Count"] = totalCount(first.page);
  const writer = format.stream?.(createView(exchange, shape));
  if (request.method === "HEAD" || writer === undefined) return { status: 200, headers, body: null };
  return {
    status: 200,
    headers,
    body: whileValid(
      exchange.context.caller,
      writePages(writer, shape.selection, first, (after) => read({ size, after })),
    ),
  };
}

/** Whether a computed field may depend on the caller, in other rows than those that were read. */
function mayBecomePersonal(
  { model, resource }: Pick<RouteTarget, "model" | "resource">,
  { fields, relations }: Selection,
): boolean {
  const isLoaded = (name: string): boolean => resource.computed.get(name)?.computation.kind === "load";
  return (
    fields.some(isLoaded) ||
    relations.some(({ relation, selection }) => {
      const target = resource.relations.get(relation)?.target;
      return target !== undefined && mayBecomePersonal({ model, resource: resourceOf(model, target) }, selection);
    })
  );
}

/**
 * A chunk must not cost more than any other operation: each row with everything below it, a count, and the row that
 * contains the list.
 */
function pieceSize(most: number, selection: ListReading["shape"]["selection"]): number {
  return Math.max(1, Math.min(CHUNK, Math.floor((most - COUNT_COST - 1) / rowCost(selection))));
}

async function* writePages(
  writer: StreamWriter,
  selection: ListReading["shape"]["selection"],
  first: ListAnswer,
  readAfter: (cursor: string) => MaybePromise<ListAnswer>,
): AsyncGenerator<string, void, undefined> {
  let text = writer.head;
  for (let { page } = first; ; ) {
    for (const row of page.write(ROW_VIEW, selection)) text += writer.row(row);
    if (!page.hasNext || page.length === 0) break;
    yield text;
    // A store in memory answers at once, and a fast client takes each chunk at once: other requests would wait until the end.
    await nextTurn();
    text = "";
    ({ page } = await readAfter(page.cursor(page.length - 1)));
  }
  text += writer.foot;
  if (text !== "") yield text;
}
