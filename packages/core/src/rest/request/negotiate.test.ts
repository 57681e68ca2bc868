import { expect, test } from "vitest";
import { negotiate } from "./negotiate.ts";

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

test.each<[string | undefined, string | undefined]>([
  [undefined, JSON_TYPE],
  ["", JSON_TYPE],
  ["*/*", JSON_TYPE],
  ["application/*", JSON_TYPE],
  ["text/event-stream", EVENTS],
  ["TEXT/Event-Stream", EVENTS],
  ["text/event-stream, application/json;q=0.9", EVENTS],
  ["text/event-stream;q=0.5, */*;q=0.6", JSON_TYPE],
  ["application/json;q=0, */*", EVENTS],
  ["text/html", undefined],
  ["application/json;q=0", undefined],
  ["application/json;q=nonsense", undefined],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON_TYPE],
  ["application/json; charset=utf-8; q=1", JSON_TYPE],
  [",,;q=,", undefined],
])("%s", (accept, expected) => {
  expect(negotiate(accept, [JSON_TYPE, EVENTS])).toBe(expected);
});
