import assert from "node:assert/strict";
import type { RestAudit } from "./audit.ts";

const TYPES = ["application/json", "application/hal+json", "application/vnd.api+json", "application/xml", "text/html"];
const LISTS = [...TYPES, "text/csv", "application/x-ndjson"];

/** RFC 9110 §12, and what each media type asks for. */
export const NEGOTIATION_AUDITS: readonly RestAudit[] = [
  {
    id: "N001",
    level: "SHOULD",
    name: "Accept decides the media type",
    source: "RFC 9110 §12.5.1",
    async run({ send, makeNote }) {
      const item = await makeNote();
      for (const [path, types] of [
        [item, TYPES],
        ["/notes", LISTS],
      ] as const) {
        for (const accept of types) {
          const answer = await send("GET", path, { headers: { accept } });
          assert.equal(answer.status, 200);
          assert.equal(answer.headers.get("content-type")?.split(";")[0], accept);
        }
      }
    },
  },
  {
    id: "N002",
    level: "MUST",
    name: "weights are respected, and a type with 0 is never sent",
    source: "RFC 9110 §12.4.2",
    async run({ send }) {
      const typeOf = async (accept: string): Promise<string | undefined> =>
        (await send("GET", "/notes", { headers: { accept } })).headers.get("content-type")?.split(";")[0];
      assert.equal(await typeOf("text/csv;q=0.3, application/xml;q=0.7"), "application/xml");
      assert.notEqual(await typeOf("application/json;q=0, */*;q=0.5"), "application/json");
    },
  },
  {
    id: "N003",
    level: "SHOULD",
    name: "an unavailable media type returns 406, with the available ones",
    source: "RFC 9110 §15.5.7",
    async run({ send }) {
      const answer = await send("GET", "/notes", { headers: { accept: "image/png" } });
      assert.equal(answer.status, 406);
      assert.match(answer.text, /application\/json/);
    },
  },
  {
    id: "N004",
    level: "MUST",
    name: "Vary includes Accept",
    source: "RFC 9110 §12.5.5",
    async run({ send }) {
      assert.match((await send("GET", "/notes")).headers.get("vary") ?? "", /\baccept\b/i);
    },
  },
  {
    id: "N005",
    level: "MUST",
    name: "different representations have different strong ETags",
    source: "RFC 9110 §8.8.3",
    async run({ send, makeNote }) {
      const path = await makeNote();
      const tags = await Promise.all(
        TYPES.map(async (accept) => (await send("GET", path, { headers: { accept } })).headers.get("etag")),
      );
      assert.equal(new Set(tags).size, TYPES.length);
    },
  },
  {
    id: "N006",
    level: "MUST",
    name: "an unsupported content type returns 415, with the supported ones",
    source: "RFC 9110 §15.5.16",
    async run({ send, makeNote }) {
      const headers = { "content-type": "text/plain" };
      const post = await send("POST", "/notes", { body: "x", headers });
      assert.equal(post.status, 415);
      assert.match(post.headers.get("accept-post") ?? "", /application\/json/);
      const patched = await send("PATCH", await makeNote(), { body: "x", headers });
      assert.equal(patched.status, 415);
      assert.match(patched.headers.get("accept-patch") ?? "", /json-patch/);
    },
  },
  {
    id: "N007",
    level: "MUST",
    name: "JSON:API rejects unknown media type parameters",
    source: "JSON:API 1.1 §5.3",
    async run({ send }) {
      const accept = 'application/vnd.api+json; ext="https://example.com/x"';
      assert.equal((await send("GET", "/notes", { headers: { accept } })).status, 406);
      const body = { data: { type: "notes", attributes: {} } };
      assert.equal((await send("POST", "/notes", { body, headers: { "content-type": accept } })).status, 415);
    },
  },
  {
    id: "N008",
    level: "MUST",
    name: "a JSON:API document has data with type and id as text",
    source: "JSON:API 1.1 §7.2",
    async run({ send, makeNote }) {
      const accept = "application/vnd.api+json";
      const { json } = await send("GET", await makeNote(), { headers: { accept } });
      const { data } = json as { data: Record<string, unknown> };
      assert.equal(data["type"], "notes");
      assert.equal(typeof data["id"], "string");
      assert.ok(!("id" in (data["attributes"] as object)) && !("noteId" in (data["attributes"] as object)));
    },
  },
  {
    id: "N009",
    level: "SHOULD",
    name: "CSV has a header row and lines that end with CR LF",
    source: "RFC 4180 §2",
    async run({ send, makeNote }) {
      await makeNote({ text: 'with "quotes",\r\nand lines' });
      const { text, headers } = await send("GET", "/notes?fields=id,text", { headers: { accept: "text/csv" } });
      assert.match(headers.get("content-type") ?? "", /header=present/);
      assert.ok(text.startsWith("id,text\r\n") && text.endsWith("\r\n"));
      assert.ok(text.includes('"with ""quotes"",\r\nand lines"'));
    },
  },
  {
    id: "N010",
    level: "SHOULD",
    name: "browsers don't guess media types, and pages run no scripts of other origins",
    source: "WHATWG Fetch §3.6, CSP Level 3",
    async run({ send }) {
      const page = await send("GET", "/notes", { headers: { accept: "text/html" } });
      assert.equal(page.headers.get("x-content-type-options"), "nosniff");
      const policy = page.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
    },
  },
  {
    id: "N011",
    level: "MUST",
    name: "return=minimal is applied, and reported as applied",
    source: "RFC 7240 §3, §4.2",
    async run({ send, makeNote }) {
      const headers = { prefer: "return=minimal" };
      const answer = await send("PATCH", await makeNote(), { body: { stars: 1 }, headers });
      assert.deepEqual(
        [answer.status, answer.text, answer.headers.get("preference-applied")],
        [204, "", "return=minimal"],
      );
    },
  },
  {
    id: "N012",
    level: "MUST",
    name: "unknown preferences are ignored",
    source: "RFC 7240 §2",
    async run({ send }) {
      const answer = await send("GET", "/notes", { headers: { prefer: "nothing=known; x=y, other" } });
      assert.deepEqual([answer.status, answer.headers.has("preference-applied")], [200, false]);
    },
  },
];
