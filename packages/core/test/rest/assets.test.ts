import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { WebPage } from "../../src/message/message.ts";
import type { ReferenceView } from "../../src/rest/routes/reference.ts";
import { request } from "../request.ts";
import { createLibrary } from "./library.ts";

let reads = 0;
const docs: WebPage<ReferenceView> = {
  page: () => "<!doctype html>",
  headers: {},
  assets: {
    "large.js": {
      contentType: "text/javascript; charset=utf-8",
      body: () => {
        reads++;
        return "/* – */ f();\n".repeat(1_000);
      },
    },
    "small.css": { contentType: "text/css; charset=utf-8", body: "a{}" },
    "mark.png": { contentType: "image/png", body: new Uint8Array(5_000) },
  },
};
const api = createLibrary({ docs });

async function get(path: string, headers: Record<string, string> = {}, { method = "GET", of = api } = {}) {
  const response = await of.handle({ ...request(method, path, { headers }), keepsEncoding: true });
  if (response === null) throw new Error(`The API has no ${path}.`);
  return response;
}

test.each([
  ["gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, GZIP;q=0.5", true],
  ["*", true],
  ["identity;q=0.5, gzip;q=0.1", false],
  ["gzip;q=0", false],
  ["*;q=0, identity", false],
  ["br", false],
  ["", false],
  [undefined, false],
])("with Accept-Encoding %j, a large text file is compressed: %s", async (encoding, isCompressed) => {
  const { status, headers, body } = await get(
    "/-/large.js",
    encoding === undefined ? {} : { "accept-encoding": encoding },
  );
  expect([status, headers["Vary"], headers["Content-Encoding"]]).toEqual([
    200,
    "Accept-Encoding",
    isCompressed ? "gzip" : undefined,
  ]);
  const text = isCompressed ? gunzipSync(body as Uint8Array).toString() : body;
  expect(text).toBe("/* – */ f();\n".repeat(1_000));
});

test.each(["/-/small.css", "/-/mark.png"])("%s is never compressed", async (path) => {
  const { headers } = await get(path, { "accept-encoding": "gzip" });
  expect([headers["Content-Encoding"], headers["Vary"]]).toEqual([undefined, undefined]);
});

test("a host that could remove Content-Encoding gets no compressed file", async () => {
  const response = await api.handle(request("GET", "/-/large.js", { headers: { "accept-encoding": "gzip" } }));
  expect([response?.headers["Content-Encoding"], response?.headers["Vary"]]).toEqual([undefined, "Accept-Encoding"]);
});

test("each encoding has its own ETag, and a 304 for it", async () => {
  const tags = new Set<string>();
  for (const encoding of ["gzip", "identity"]) {
    const { headers } = await get("/-/large.js", { "accept-encoding": encoding });
    const { ETag: tag = "" } = headers;
    tags.add(tag);
    const again = await get("/-/large.js", { "accept-encoding": encoding, "if-none-match": tag });
    expect([again.status, again.body, again.headers["ETag"], again.headers["Vary"]]).toEqual([
      304,
      null,
      tag,
      "Accept-Encoding",
    ]);
  }
  expect(tags.size).toBe(2);
});

test("a file is read once, also by simultaneous requests", async () => {
  const own = createLibrary({ docs });
  const before = reads;
  const asked = ["gzip", "gzip", "identity", "br"].map((encoding) =>
    get("/-/large.js", { "accept-encoding": encoding }, { of: own }),
  );
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(reads - before).toBe(1);
});

test("other methods are rejected, and OPTIONS lists those that exist", async () => {
  const own = { "accept-encoding": "gzip" };
  expect((await get("/-/large.js", own, { method: "POST" })).status).toBe(405);
  const { status, headers } = await get("/-/large.js", own, { method: "OPTIONS" });
  expect([status, headers["Allow"]]).toEqual([204, "GET, HEAD, OPTIONS"]);
});
