import type { HttpResponse } from "../../message/message.ts";
import { rowCost } from "../../limits/cost.ts";
import { whileValid } from "../../operation/while-valid.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { Selection } from "../../operation/selection.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { Exchange } from "../request/exchange.ts";
import type { RouteTarget } from "../routes/route-target.ts";
import type { Format, StreamWriter } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import { cacheControl, NOSNIFF, totalCount, varyOf } from "../response/headers.ts";
import type { ListReading } from "./list-reading.ts";
import { createView } from "../response/view.ts";
import { nextTurn } from "../../runtime/timers.ts";

const MAX_ROWS = 500;
/** Number of rows in the first batch, because their size isn't known yet. */
const FIRST_ROWS = 50;
/** Number of characters that end a batch, because it stays in memory until the client reads it. */
const MAX_TEXT = 1_048_576;
const GROWTH = 4;

export type StreamFormat = Format & Required<Pick<Format, "stream">>;

interface Batch {
  readonly text: string;
  /** The cursor of the last row, if there are more rows. */
  readonly after: string | undefined;
  /** Number of rows to read next. */
  readonly next: number;
}

/**
 * Responds with a whole list of any length, which is read and written in batches at the client's pace. Each batch is
 * read after the last row of the previous one, and the rules run again. Rows that are written meanwhile may be missing
 * or included.
 */
export async function streamRows(
  exchange: Exchange,
  format: StreamFormat,
  { shape, read, emptyCost }: ListReading,
  more: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const { request, target } = exchange;
  const { selection } = shape;
  const most = mostRows(target.limits.query.cost - emptyCost(), selection);
  const size = Math.min(FIRST_ROWS, most);
  const first = await read({ size });
  const writer = format.stream(createView(exchange, shape));
  let batch = writeBatch(writer, selection, first.page, { size, most });
  // The headers are sent before later rows are read.
  const isPersonal = first.personal || (batch.after !== undefined && mayBecomePersonal(target, selection));
  const headers: Record<string, string> = {
    "Content-Type": format.contentType ?? format.mediaType,
    "Cache-Control": cacheControl(request, target.resource, isPersonal),
    Vary: varyOf(target.vary, isPersonal),
    ...NOSNIFF,
    ...more,
    ...format.headers?.(target.resource),
  };
  if (first.page.total !== undefined) headers["Total-Count"] = totalCount(first.page);
  if (request.method === "HEAD") return { status: 200, headers, body: null };
  return { status: 200, headers, body: whileValid(exchange.context.caller, writeBatches()) };

  /** Keeps only the current batch in memory. */
  async function* writeBatches(): AsyncGenerator<string, void, undefined> {
    let text = writer.head + batch.text;
    while (batch.after !== undefined) {
      yield text;
      // A store in memory answers at once, and a fast client takes each batch at once: other requests would wait until the end.
      await nextTurn();
      const { after, next } = batch;
      batch = writeBatch(writer, selection, (await read({ size: next, after })).page, { size: next, most });
      text = batch.text;
    }
    text += writer.foot;
    if (text !== "") yield text;
  }
}

/** Writes rows until the text is long enough. The next batch reads the others again. */
function writeBatch(
  writer: StreamWriter,
  selection: Selection,
  page: RowPage,
  { size, most }: { readonly size: number; readonly most: number },
): Batch {
  let text = "";
  let written = 0;
  for (const row of page.write(ROW_VIEW, selection)) {
    text += writer.row(row);
    written++;
    if (text.length >= MAX_TEXT) break;
  }
  const isMore = written < page.length || (page.hasNext && written > 0);
  const after = isMore ? page.cursor(written - 1) : undefined;
  if (text.length >= MAX_TEXT) return { text, after, next: Math.min(written, most) };
  return { text, after, next: text.length * GROWTH > MAX_TEXT ? size : Math.min(size * GROWTH, most) };
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

/** A batch must not cost more than any other operation: each row costs as much as everything below it. */
function mostRows(cost: number, selection: Selection): number {
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(cost / rowCost(selection))));
}
