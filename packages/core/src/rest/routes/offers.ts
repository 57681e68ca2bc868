import { EVENT_STREAM } from "../../message/event-stream.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { Format } from "../formats/format.ts";
import { inputTypes, MERGE_PATCH } from "../request/parse-body.ts";
import { patchTypes } from "../write/handle-patch.ts";
import type { Answers, Endpoint, Method } from "./endpoint.ts";
import type { RouteTarget } from "./route-target.ts";

/** Returns the media types of a method's responses. The first one is the default. */
export type Offers = (endpoint: Endpoint, method: Method) => readonly string[];

export function createOffers(formats: readonly Format[]): Offers {
  const types = (writes: (format: Format) => boolean): readonly string[] => [
    JSON_TYPE,
    ...formats.filter(writes).map(({ mediaType }) => mediaType),
  ];
  const byAnswer: Readonly<Record<Answers, readonly string[]>> = {
    item: types(({ item }) => item !== undefined),
    list: types(({ list, stream }) => list !== undefined || stream !== undefined),
    other: [JSON_TYPE],
  };
  const watched = { ...byAnswer, item: [...byAnswer.item, EVENT_STREAM], list: [...byAnswer.list, EVENT_STREAM] };
  return ({ methods, watch }, method) => {
    const offers = method === "GET" && watch !== undefined ? watched : byAnswer;
    const handler = methods[method];
    return handler?.only ?? offers[handler?.answers ?? "other"];
  };
}

/** Returns the value of `Allow` for the endpoints at one path (RFC 9110 §10.2.1). */
export function allowOf(...endpoints: readonly Endpoint[]): string {
  const methods = new Set(endpoints.flatMap(methodsOf));
  return [...methods]
    .filter((method) => method !== "OPTIONS")
    .concat("OPTIONS")
    .join(", ");
}

/** Returns the methods of an endpoint, with those that every endpoint has. */
export function methodsOf({ methods }: Endpoint): readonly string[] {
  const names = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...names, "OPTIONS"];
}

/**
 * Returns the headers that list the methods and media types of an endpoint (RFC 9110 §10.2.1, RFC 5789 §3.1, RFC 10008
 * §3).
 */
export function optionHeaders(endpoint: Endpoint, target: RouteTarget): Record<string, string> {
  const headers: Record<string, string> = { Allow: allowOf(endpoint) };
  const { POST, PATCH } = endpoint.methods;
  if (POST !== undefined) {
    const types = POST.takesRow === true ? inputTypes(target) : [JSON_TYPE];
    headers["Accept-Post"] = (POST.only ?? types).join(", ");
  }
  if (PATCH !== undefined) {
    const types = PATCH.takesRow === true ? patchTypes(target) : [MERGE_PATCH, JSON_TYPE];
    headers["Accept-Patch"] = (PATCH.only ?? types).join(", ");
  }
  // A structured field (RFC 9651) with a list of media types.
  if (endpoint.methods.QUERY !== undefined) headers["Accept-Query"] = JSON_TYPE;
  return headers;
}
