import { JSON_TYPE } from "../../message/json-type.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { Json } from "../../util/json.ts";
import {
  bodyWithin,
  BodyMistake,
  mediaTypeOf,
  parseJsonBody,
  prototypeName,
  decodeText,
} from "../../message/json-body.ts";
import { jsonExcess } from "../../message/json-excess.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "./exchange.ts";
import type { Format, InputTarget } from "../formats/format.ts";
import type { RouteTarget } from "../routes/route-target.ts";

export const MERGE_PATCH = "application/merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";

export interface ParsedBody {
  /** In lower case. */
  readonly type: string;
  readonly value: unknown;
}

/**
 * Parses the body of a request: as JSON, or as text for a format that isn't JSON. Throws UNSUPPORTED_MEDIA_TYPE with
 * the supported types, BAD_REQUEST or PAYLOAD_TOO_LARGE.
 */
export function parseBody(exchange: Exchange, types: readonly string[]): MaybePromise<ParsedBody> {
  const { request, target, notes } = exchange;
  const taken = takenType(exchange, types);
  if (request.parsedBody !== undefined) {
    checkValue(request.parsedBody, target.limits);
    notes.body = request.parsedBody;
    return { type: taken.type, value: request.parsedBody };
  }
  return mapMaybePromise(bodyWithin(request, target.limits.http.bodyBytes), (bytes) =>
    readBytes(exchange, taken, bytes),
  );
}

/** Parses an optional body. Without a body, its type is ignored. */
export function parseOptionalBody(exchange: Exchange, types: readonly string[]): MaybePromise<ParsedBody | undefined> {
  const { request, target } = exchange;
  if (request.parsedBody !== undefined) return parseBody(exchange, types);
  return mapMaybePromise(bodyWithin(request, target.limits.http.bodyBytes), (bytes) =>
    bytes.byteLength === 0 ? undefined : readBytes(exchange, takenType(exchange, types), bytes),
  );
}

interface TakenType {
  readonly type: string;
  readonly format: Format | undefined;
}

function takenType({ request, target }: Exchange, types: readonly string[]): TakenType {
  const header = request.headers["content-type"];
  const type = mediaTypeOf(header);
  const format = type === JSON_TYPE ? undefined : target.formats.find(({ mediaType }) => mediaType === type);
  if (type === undefined || !types.includes(type) || format?.takes?.(String(header)) === false) {
    throw unsupported(request, types);
  }
  return { type, format };
}

function readBytes({ target, notes }: Exchange, { type, format }: TakenType, bytes: Uint8Array): ParsedBody {
  const { limits } = target;
  try {
    if (format?.parse !== undefined && !isJson(type)) return { type, value: decodeText(bytes) };
    const value = parseJsonBody(bytes, limits.http.jsonDepth, limits.http.jsonKeys);
    notes.body = value;
    return { type, value };
  } catch (thrown) {
    throw thrown instanceof BodyMistake ? badRequest(thrown.message) : thrown;
  }
}

const INPUT_TYPES = new WeakMap<readonly Format[], readonly string[]>();

/** Returns the media types from which the fields of a row can be read: JSON, and formats with `parse`. */
export function inputTypes({ formats }: Pick<RouteTarget, "formats">): readonly string[] {
  let types = INPUT_TYPES.get(formats);
  if (types === undefined) {
    types = [JSON_TYPE, ...formats.flatMap(({ parse, mediaType }) => (parse === undefined ? [] : [mediaType]))];
    INPUT_TYPES.set(formats, types);
  }
  return types;
}

/** Returns the fields in a body of any supported type. */
export function readInput(
  { target, notes }: Exchange,
  { type, value }: ParsedBody,
  about: Pick<InputTarget, "mode" | "id">,
): unknown {
  const format = type === JSON_TYPE ? undefined : target.formats.find(({ mediaType }) => mediaType === type);
  if (format?.parse === undefined) return value;
  const input = format.parse(value as Json, { model: target.model, resource: target.resource, ...about });
  if (!isJson(type)) checkValue(input, target.limits);
  notes.body = input;
  return input;
}

/** Whether a media type is JSON or has the suffix `+json` (RFC 6839 §3.1). */
function isJson(type: string): boolean {
  return /[/+]json$/.test(type);
}

function checkValue(value: unknown, limits: RouteTarget["limits"]): void {
  const excess = jsonExcess(value, { depth: limits.http.jsonDepth, keys: limits.http.jsonKeys });
  if (excess === "depth") throw badRequest(`The body can be nested at most ${limits.http.jsonDepth} levels deep.`);
  if (excess !== undefined) throw badRequest(`An object in the body can have at most ${limits.http.jsonKeys} members.`);
  const prototype = prototypeName(value);
  if (prototype !== undefined) throw badRequest(`The body must not contain '${prototype}'.`);
}

function unsupported({ method }: HttpRequest, types: readonly string[]): BifocalError {
  const header = method === "PATCH" ? "Accept-Patch" : method === "QUERY" ? "Accept-Query" : "Accept-Post";
  const message = `The body must be ${types.join(" or ")} in UTF-8. Set 'Content-Type' accordingly.`;
  return new BifocalError("UNSUPPORTED_MEDIA_TYPE", message, { headers: { [header]: types.join(", ") } });
}

function badRequest(message: string): BifocalError {
  return new BifocalError("BAD_REQUEST", message);
}
