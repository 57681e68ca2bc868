import { expect, test } from "vitest";
import { keptHeaders } from "./kept-headers.ts";

const headers = (tag: string, more: Record<string, string> = {}) => ({ ETag: tag, Vary: "Accept", ...more });
const keep = (plain: Record<string, string>) => keptHeaders(plain, true);

test("returns the same Headers for equal headers", () => {
  const first = keep(headers('"a"'));
  expect(first).toBeInstanceOf(Headers);
  expect([...(first as Headers)]).toEqual([
    ["etag", '"a"'],
    ["vary", "Accept"],
  ]);
  expect(keep(headers('"a"'))).toBe(first);
});

test.each([
  ["another value", { Vary: "Accept, Authorization" }],
  ["a further header", { RateLimit: '"address";r=1;t=1' }],
])("returns the given headers for the same tag with %s", (_, more) => {
  keep(headers('"b"'));
  const other = headers('"b"', more);
  expect(keep(other)).toBe(other);
  const { Vary: _vary, ...fewer } = headers('"b"');
  expect(keep(fewer)).toBe(fewer);
});

test("returns the given headers if there is no tag, and on hosts that aren't faster with Headers", () => {
  const untagged = { Vary: "Accept" };
  expect(keep(untagged)).toBe(untagged);
  const tagged = headers('"c"');
  expect(keptHeaders(tagged, false)).toBe(tagged);
});

test("keeps a limited number of headers", () => {
  const first = keep(headers('"d"'));
  for (let n = 0; n < 2_000; n++) keep(headers(`"${n}"`));
  expect(keep(headers('"d"'))).not.toBe(first);
});
