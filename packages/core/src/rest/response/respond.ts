import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import { formatId } from "../../operation/key.ts";
import type { ItemOutcome, ResultOutcome } from "../../operation/outcome.ts";
import { type Exchange, formatSelection } from "../request/exchange.ts";
import type { Format } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import {
  cacheControl,
  formTag,
  hashTag,
  isNotModified,
  JSON_UTF8,
  NOSNIFF,
  notModified,
  PRIVATE,
  varyOf,
} from "./headers.ts";
import type { ResponseShape } from "../request/lower-shape.ts";
import { askLinked } from "./read-linked.ts";
import { askReferenced } from "./read-referenced.ts";
import { serializeRow } from "./representation.ts";
import { askPermissions, askPrincipal, createView } from "./view.ts";

interface ItemOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const NO_OPTIONS: ItemOptions = {};

/** The row of a response. Without a version, its entity tag is a hash of the body. */
type Item = Pick<ItemOutcome, "row" | "personal" | "text"> & Partial<Pick<ItemOutcome, "version" | "tag">>;

/** Responds with one row and its entity tag, or with 304 if the client has the current one. */
export function respondItem(
  exchange: Exchange,
  outcome: Item,
  shape: ResponseShape,
  options: ItemOptions = NO_OPTIONS,
): HttpResponse | Promise<HttpResponse> {
  const { format, target, request } = exchange;
  if (format !== undefined) return respondFormatted(exchange, format, outcome, shape, options);
  // If nothing is denied or computed, the version alone identifies the plain form of a row.
  const isPlain = target.resource.computed.size === 0 && shape.isWhole === true;
  const row = isPlain ? outcome.row.raw?.row : undefined;
  const tag = row === undefined ? undefined : outcome.tag;
  if (row === undefined || tag === undefined) {
    const headers = itemHeaders(exchange, outcome, JSON_UTF8, options);
    return complete(exchange, outcome, options, headers, serializeRow(shape.selection, outcome.row));
  }
  const isKept = options === NO_OPTIONS && isRead(request);
  const kept = isKept ? keptResponse(exchange, outcome, row, tag, shape) : undefined;
  const headers = kept?.headers ?? taggedHeaders(exchange, outcome, tag, options);
  if (isNotModified(request, tag)) return notModified(headers);
  if (kept !== undefined) return kept;
  const body = outcome.text ?? serializeRow(shape.selection, outcome.row, isRead(request));
  const response = { status: options.status ?? 200, headers, body };
  if (isKept && Object.isFrozen(row)) RESPONSES.set(row, { shape, response });
  return response;
}

interface Kept {
  readonly shape: ResponseShape;
  readonly response: HttpResponse;
}

/** The last response of each frozen row. */
const RESPONSES = new WeakMap<Row, Kept>();

/** Returns the last response with a row if it is the same for this request. */
function keptResponse(
  { request, target }: Exchange,
  { personal }: Item,
  row: Row,
  tag: string,
  shape: ResponseShape,
): HttpResponse | undefined {
  const kept = RESPONSES.get(row);
  if (kept === undefined || kept.shape !== shape) return undefined;
  const { headers } = kept.response;
  const isSame =
    headers["ETag"] === tag &&
    headers["Cache-Control"] === cacheControl(request, target.resource, personal) &&
    headers["Vary"] === varyOf(target.vary, personal);
  return isSame ? kept.response : undefined;
}

function taggedHeaders(exchange: Exchange, outcome: Item, tag: string, options: ItemOptions): Record<string, string> {
  const headers = itemHeaders(exchange, outcome, JSON_UTF8, options);
  headers["ETag"] = tag;
  return headers;
}

async function respondFormatted(
  exchange: Exchange,
  format: Format,
  outcome: Item,
  shape: ResponseShape,
  options: ItemOptions,
): Promise<HttpResponse> {
  const { resource } = exchange.target;
  const row = outcome.row.write(ROW_VIEW, formatSelection(format, exchange.target, shape.selection));
  const { status = 200 } = options;
  const { version } = outcome;
  const noted = { personal: outcome.personal };
  const may = askPermissions(exchange, noted, row.id);
  const principal = askPrincipal(exchange, noted);
  const linked = askLinked(exchange, noted, row.id);
  const referenced = askReferenced(exchange, noted);
  const view = { ...createView(exchange, shape), row, status, version, principal, may, linked, referenced };
  const body = (await format.item?.(view)) ?? "";
  // Only after the body, which may have queried permissions and made the response personal.
  const headers = itemHeaders(exchange, noted, format.contentType ?? format.mediaType, options);
  return complete(exchange, outcome, options, { ...headers, ...format.headers?.(resource) }, body);
}

/** Responds that a row doesn't exist, in a format that can express this. */
export function respondNone(
  exchange: Exchange,
  none: NonNullable<Format["none"]>,
  personal: boolean,
  shape: ResponseShape,
  more: Readonly<Record<string, string>>,
): HttpResponse {
  const { format, target } = exchange;
  const type = format?.contentType ?? format?.mediaType ?? JSON_UTF8;
  const headers = itemHeaders(exchange, { personal }, type, { headers: more });
  const body = none(createView(exchange, shape));
  return complete(exchange, {}, {}, { ...headers, ...format?.headers?.(target.resource) }, body);
}

function complete(
  { request }: Exchange,
  { version }: Pick<Item, "version">,
  { status = 200 }: ItemOptions,
  headers: Record<string, string>,
  body: string,
): HttpResponse {
  const tag = version === undefined ? hashTag(body) : formTag(version, body);
  headers["ETag"] = tag;
  return isNotModified(request, tag) ? notModified(headers) : { status, headers, body };
}

function itemHeaders(
  { request, target }: Exchange,
  { personal }: Pick<Item, "personal">,
  type: string,
  { headers }: ItemOptions,
): Record<string, string> {
  const reads = isRead(request);
  const own: Record<string, string> = {
    "Content-Type": type,
    "Cache-Control": reads ? cacheControl(request, target.resource, personal) : PRIVATE,
    Vary: varyOf(target.vary, personal || !reads),
    "X-Content-Type-Options": NOSNIFF["X-Content-Type-Options"],
  };
  // Not a spread, because most responses have no further headers.
  for (const name in headers) own[name] = headers[name] as string;
  return own;
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns the header with the URL of a row, if its resource offers any operation at that URL. */
export function locationHeader(
  prefix: string,
  resource: ResourceModel,
  key: ItemOutcome["key"],
): { readonly Location?: string } {
  const { get, replace, update, delete: deletion } = resource.operations.rest;
  if (!get && !replace && !update && !deletion) return {};
  return { Location: `${prefix}/${resource.path}/${formatId(resource, key)}` };
}

/** Responds with the value of a query. */
export function respondResult(
  exchange: Exchange,
  { value, personal = true }: Pick<ResultOutcome, "value" | "personal">,
  more: Readonly<Record<string, string>>,
): HttpResponse {
  const headers = itemHeaders(exchange, { personal }, JSON_UTF8, { headers: more });
  return complete(exchange, {}, {}, headers, JSON.stringify(value));
}

/** Responds with JSON that is not a row. */
export function respondValue(
  { target }: Exchange,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): HttpResponse {
  const headers = { "Content-Type": JSON_UTF8, "Cache-Control": PRIVATE, Vary: target.vary.personal, ...NOSNIFF };
  return { status: 200, headers: { ...headers, ...more }, body: JSON.stringify(value) };
}

export function respondNothing(
  { target }: Exchange,
  headers: Readonly<Record<string, string>> = {},
  status = 204,
): HttpResponse {
  return { status, headers: { "Cache-Control": PRIVATE, Vary: target.vary.personal, ...headers }, body: null };
}
