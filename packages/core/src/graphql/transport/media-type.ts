import { EVENT_STREAM } from "../../message/event-stream.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
export const RESPONSE_JSON = "application/graphql-response+json";

export type MediaType = typeof RESPONSE_JSON | typeof JSON_TYPE | typeof EVENT_STREAM;

const OFFERED: readonly MediaType[] = [RESPONSE_JSON, JSON_TYPE, EVENT_STREAM];

/**
 * Negotiates the media type of the response (RFC 9110 §12.5.1). Returns undefined if no available type is acceptable. A
 * client that accepts any type gets `application/json`, as GraphQL over HTTP requires until all clients know the newer
 * type. `others` are additional types for clients that name them explicitly.
 */
export function negotiateResponseType<Other extends string = never>(
  accept: string | readonly string[] | undefined,
  others: readonly Other[] = [],
): MediaType | Other | undefined {
  if (accept === undefined) return JSON_TYPE;
  const header = String(accept).trim();
  if (header === "" || header === "*/*" || header === JSON_TYPE) return JSON_TYPE;
  const offered: readonly (MediaType | Other)[] = [...OFFERED, ...others];
  let best: { readonly type: MediaType | Other; readonly quality: number; readonly specific: number } | undefined;
  const ranges = header.split(",").map(parseRange);
  const refused = new Set(ranges.filter(({ quality }) => quality <= 0).map(({ type }) => type));
  for (const range of ranges) {
    const isReadable = range.charset === undefined || range.charset === "utf-8";
    const type = isReadable ? offerFor(range.type, offered, refused) : undefined;
    if (type === undefined || range.quality <= 0) continue;
    const specific = range.type.includes("*") ? 0 : 1;
    if (
      best === undefined ||
      range.quality > best.quality ||
      (range.quality === best.quality && specific > best.specific)
    ) {
      best = { type, quality: range.quality, specific };
    }
  }
  return best?.type;
}

/** A wildcard range never selects a type that is refused by name. */
function offerFor<Type extends string>(
  range: string,
  offered: readonly Type[],
  refused: ReadonlySet<string>,
): Type | typeof JSON_TYPE | typeof RESPONSE_JSON | undefined {
  if (range === "*/*" || range === "application/*")
    return ([JSON_TYPE, RESPONSE_JSON] as const).find((type) => !refused.has(type));
  return offered.find((type) => type === range);
}

function parseRange(text: string): { type: string; quality: number; charset: string | undefined } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const valueOf = (name: string): string | undefined =>
    parameters
      .find((parameter) => parameter.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('"', "");
  const quality = Number(valueOf("q") ?? 1);
  return { type, quality: Number.isNaN(quality) ? 0 : quality, charset: valueOf("charset") };
}
