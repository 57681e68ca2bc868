import type { Endpoint, Method } from "./endpoint.ts";
import type { Answers } from "./method-handler.ts";
import type { Format } from "../formats/format.ts";
import { EVENT_STREAM } from "../../message/event-stream.ts";
import { JSON_TYPE } from "../../message/json-type.ts";

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
