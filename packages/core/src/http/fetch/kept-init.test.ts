import { expect, test } from "vitest";
import { keptInit } from "./kept-init.ts";

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const head = (tag: string, more: Record<string, string> = {}, status = 200): Head => ({
  status,
  headers: { ETag: tag, Vary: "Accept", ...more },
});
const keep = (head: Head) => keptInit(head, true);

test.each([200, 304])("returns the same response for equal headers and the status %i", (status) => {
  const first = keep(head('"a"', {}, status));
  expect(first).toBeInstanceOf(Response);
  expect(first.status).toBe(status);
  expect([...(first as Response).headers]).toEqual([
    ["etag", '"a"'],
    ["vary", "Accept"],
  ]);
  expect(keep(head('"a"', {}, status))).toBe(first);
  const same = head('"a"', {}, status);
  expect(new Response(null, keep(same))).toMatchObject({ status });
});

test("keeps the same tag once per status", () => {
  const found = keep(head('"e"'));
  expect(keep(head('"e"', {}, 304))).not.toBe(found);
  expect(keep(head('"e"'))).toBe(found);
});

test.each([
  ["another value", { Vary: "Accept, Authorization" }],
  ["a further header", { RateLimit: '"address";r=1;t=1' }],
])("uses the given headers for the same tag with %s", (_, more) => {
  keep(head('"b"'));
  const other = head('"b"', more);
  expect(keep(other)).toEqual(other);
  const { Vary: _vary, ...fewer } = other.headers;
  expect(keep({ status: 200, headers: fewer })).toEqual({ status: 200, headers: fewer });
});

test("uses the given headers if there is no tag, for other statuses, and on hosts that aren't faster with a response", () => {
  const untagged = { status: 200, headers: { Vary: "Accept" } };
  expect(keep(untagged)).toBe(untagged);
  const created = head('"c"', {}, 201);
  expect(keep(created)).toBe(created);
  const tagged = head('"c"');
  expect(keptInit(tagged, false)).toBe(tagged);
});

test("keeps a limited number of responses", () => {
  const first = keep(head('"d"'));
  for (let n = 0; n < 2_000; n++) keep(head(`"${n}"`));
  expect(keep(head('"d"'))).not.toBe(first);
});
