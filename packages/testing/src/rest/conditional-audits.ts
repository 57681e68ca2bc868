import assert from "node:assert/strict";
import type { AuditClient, RestAudit } from "./audit.ts";

async function tagOf({ send }: AuditClient, path: string): Promise<string> {
  return (await send("GET", path)).headers.get("etag") ?? "";
}

const patch = { "content-type": "application/merge-patch+json" };

/** RFC 9110 §8.8 and §13, RFC 6585, RFC 9111. */
export const CONDITIONAL_AUDITS: readonly RestAudit[] = [
  {
    id: "C001",
    level: "SHOULD",
    name: "every item and list has a strong entity tag",
    source: "RFC 9110 §8.8.3",
    async run(client) {
      for (const path of ["/notes", await client.makeNote()])
        assert.match(await tagOf(client, path), /^"[\x21\x23-\x7e]+"$/);
    },
  },
  {
    id: "C002",
    level: "MUST",
    name: "a matching If-None-Match returns 304 for GET and HEAD",
    source: "RFC 9110 §13.1.2",
    async run(client) {
      for (const path of ["/notes?page[size]=1&sort=id", await client.makeNote()]) {
        const tag = await tagOf(client, path);
        for (const method of ["GET", "HEAD"]) {
          for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
            const answer = await client.send(method, path, { headers: { "if-none-match": header } });
            assert.equal(answer.status, 304, `${method} ${header}`);
            assert.equal(answer.text, "");
          }
        }
      }
    },
  },
  {
    id: "C003",
    level: "MUST",
    name: "a 304 repeats ETag, Cache-Control and Vary",
    source: "RFC 9110 §15.4.5",
    async run({ send, makeNote }) {
      const path = await makeNote();
      const whole = await send("GET", path);
      const none = await send("GET", path, { headers: { "if-none-match": whole.headers.get("etag") ?? "" } });
      for (const name of ["etag", "cache-control", "vary"])
        assert.equal(none.headers.get(name), whole.headers.get(name));
    },
  },
  {
    id: "C004",
    level: "MUST",
    name: "If-Match that doesn't match returns 412, and changes nothing",
    source: "RFC 9110 §13.1.1",
    async run(client) {
      const path = await client.makeNote();
      const before = await tagOf(client, path);
      const body = { text: "changed" };
      assert.equal(
        (await client.send("PATCH", path, { body, headers: { ...patch, "if-match": '"other"' } })).status,
        412,
      );
      assert.equal((await client.send("DELETE", path, { headers: { "if-match": '"other"' } })).status, 412);
      assert.equal(await tagOf(client, path), before);
    },
  },
  {
    id: "C005",
    level: "MUST",
    name: "If-Match compares strongly",
    source: "RFC 9110 §13.1.1",
    async run(client) {
      const path = await client.makeNote();
      const headers = { ...patch, "if-match": `W/${await tagOf(client, path)}` };
      assert.equal((await client.send("PATCH", path, { body: { stars: 1 }, headers })).status, 412);
    },
  },
  {
    id: "C006",
    level: "MUST",
    name: "one of several writers with the same ETag succeeds",
    source: "RFC 9110 §13.1.1",
    async run(client) {
      const path = await client.makeNote();
      const headers = { ...patch, "if-match": await tagOf(client, path) };
      const answers = await Promise.all(
        [0, 1, 2, 4, 5].map((stars) => client.send("PATCH", path, { body: { stars }, headers })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter(({ status }) => status === 412).length, 4);
    },
  },
  {
    id: "C007",
    level: "MUST",
    name: "If-Match is evaluated before If-None-Match",
    source: "RFC 9110 §13.2.2",
    async run(client) {
      const path = await client.makeNote();
      const tag = await tagOf(client, path);
      const headers = { "if-match": '"other"', "if-none-match": tag };
      assert.equal((await client.send("GET", path, { headers })).status, 412);
      assert.equal(
        (await client.send("GET", path, { headers: { "if-match": tag, "if-none-match": tag } })).status,
        304,
      );
    },
  },
  {
    id: "C008",
    level: "MUST",
    name: "If-None-Match: * on PUT creates a row and overwrites none",
    source: "RFC 9110 §13.1.2",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const body = { id, text: "x", stars: 1, words: [], noteId: null };
      const put = (): Promise<{ status: number }> =>
        send("PUT", `/notes/${id}`, { body, headers: { "if-none-match": "*" } });
      assert.deepEqual([(await put()).status, (await put()).status], [201, 412]);
    },
  },
  {
    id: "C009",
    level: "MUST",
    name: "preconditions are ignored if the response would not be successful",
    source: "RFC 9110 §13.2.1",
    async run({ send }) {
      assert.equal((await send("GET", "/notes/1", { headers: { "if-match": '"x"' } })).status, 404);
      assert.equal((await send("DELETE", "/notes/1", { headers: { "if-match": '"x"' } })).status, 404);
    },
  },
  {
    id: "C010",
    level: "MUST",
    name: "a precondition is checked before the content",
    source: "RFC 9110 §13.2.1",
    async run({ send, makeNote }) {
      const headers = { ...patch, "if-match": '"other"' };
      assert.equal((await send("PATCH", await makeNote(), { body: { stars: 99 }, headers })).status, 412);
    },
  },
  {
    id: "C011",
    level: "MUST",
    name: "a date in If-Modified-Since is ignored if the resource has no date",
    source: "RFC 9110 §13.1.3",
    async run({ send, makeNote }) {
      const headers = { "if-modified-since": new Date(Date.now() + 86_400_000).toUTCString() };
      assert.equal((await send("GET", await makeNote(), { headers })).status, 200);
    },
  },
  {
    id: "C012",
    level: "MUST",
    name: "a missing required precondition returns 428",
    source: "RFC 6585 §3",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const made = await send("POST", "/careful", { body: { id, text: "x" } });
      const tag = made.headers.get("etag") ?? "";
      assert.equal((await send("PATCH", `/careful/${id}`, { body: { text: "y" }, headers: patch })).status, 428);
      const headers = { ...patch, "if-match": tag };
      assert.equal((await send("PATCH", `/careful/${id}`, { body: { text: "y" }, headers })).status, 200);
    },
  },
  {
    id: "C013",
    level: "SHOULD",
    name: "every response has Cache-Control",
    source: "RFC 9111 §5.2",
    async run({ send, makeNote }) {
      for (const path of ["/", "/notes", await makeNote(), "/notes/1", "/openapi.json", "/notes?nope=1"]) {
        assert.ok((await send("GET", path)).headers.has("cache-control"), path);
      }
    },
  },
  {
    id: "C014",
    level: "MUST",
    name: "a response that depends on the caller is never public, and varies by the credential",
    source: "RFC 9111 §3.5, RFC 9110 §12.5.5",
    async run({ send }) {
      const answer = await send("GET", "/locked", { headers: { authorization: "Bearer audit" } });
      assert.match(answer.headers.get("cache-control") ?? "", /private/);
      assert.match(answer.headers.get("vary") ?? "", /authorization/i);
    },
  },
  {
    id: "C015",
    level: "SHOULD",
    name: "a request with no-store gets a response with no-store",
    source: "RFC 9111 §5.2.1.5",
    async run({ send }) {
      const answer = await send("GET", "/fading", { headers: { "cache-control": "no-store" } });
      assert.equal(answer.headers.get("cache-control"), "no-store");
    },
  },
];
