import assert from "node:assert/strict";
import type { RestAudit } from "./audit.ts";

/** RFC 9110 §9: what each method means. */
export const METHOD_AUDITS: readonly RestAudit[] = [
  {
    id: "M001",
    level: "MUST",
    name: "every collection and item supports GET and HEAD",
    source: "RFC 9110 §9.1",
    async run({ send, makeNote }) {
      for (const path of ["/notes", await makeNote()]) {
        assert.equal((await send("GET", path)).status, 200);
        assert.equal((await send("HEAD", path)).status, 200);
      }
    },
  },
  {
    id: "M002",
    level: "MUST",
    name: "HEAD has no content",
    source: "RFC 9110 §9.3.2",
    async run({ send, makeNote }) {
      for (const path of ["/notes", await makeNote(), "/notes/1", "/", "/openapi.json"]) {
        assert.equal((await send("HEAD", path)).text, "");
      }
    },
  },
  {
    id: "M003",
    level: "SHOULD",
    name: "HEAD sends the headers of GET",
    source: "RFC 9110 §9.3.2",
    async run({ send, makeNote }) {
      for (const path of ["/notes?page[size]=2", await makeNote()]) {
        const [get, head] = [await send("GET", path), await send("HEAD", path)];
        for (const name of ["content-type", "etag", "cache-control", "vary", "link"]) {
          assert.equal(head.headers.get(name), get.headers.get(name), name);
        }
      }
    },
  },
  {
    id: "M004",
    level: "MUST",
    name: "OPTIONS lists the allowed methods",
    source: "RFC 9110 §9.3.7, §10.2.1",
    async run({ send, makeNote }) {
      const item = await send("OPTIONS", await makeNote());
      assert.ok(item.status === 204 || item.status === 200);
      assert.deepEqual(
        new Set((item.headers.get("allow") ?? "").split(/, ?/)),
        new Set(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]),
      );
    },
  },
  {
    id: "M005",
    level: "MUST",
    name: "an unsupported method returns 405, with Allow",
    source: "RFC 9110 §15.5.6",
    async run({ send, makeNote }) {
      const path = await makeNote();
      for (const [method, at] of [
        ["POST", path],
        ["PUT", "/notes"],
        ["GET", `${path}/shout`],
      ] as const) {
        const answer = await send(method, at);
        assert.equal(answer.status, 405);
        assert.match(answer.headers.get("allow") ?? "", /OPTIONS/);
      }
    },
  },
  {
    id: "M006",
    level: "SHOULD",
    name: "POST returns 201 with Location, and the row exists",
    source: "RFC 9110 §9.3.3, §15.3.2",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const made = await send("POST", "/notes", { body: { id, text: "x", stars: 1 } });
      assert.equal(made.status, 201);
      const location = new URL(made.headers.get("location") ?? "", "http://host");
      assert.ok(location.pathname.endsWith(`/notes/${id}`));
      assert.equal((await send("GET", `/notes/${id}`)).status, 200);
    },
  },
  {
    id: "M007",
    level: "MUST",
    name: "PUT replaces a row, and repeating it changes nothing",
    source: "RFC 9110 §9.3.4",
    async run({ send, makeNote }) {
      const path = await makeNote();
      const body = { id: Number(path.slice(7)), text: "other", stars: 0, words: [], noteId: null };
      const [one, two] = [await send("PUT", path, { body }), await send("PUT", path, { body })];
      assert.deepEqual([one.status, two.status], [200, 200]);
      assert.deepEqual(two.json, body);
      assert.equal(two.headers.get("etag"), one.headers.get("etag"));
    },
  },
  {
    id: "M008",
    level: "MUST",
    name: "PUT that creates a row returns 201",
    source: "RFC 9110 §9.3.4",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const body = { id, text: "x", stars: 1, words: [], noteId: null };
      assert.equal((await send("PUT", `/notes/${id}`, { body })).status, 201);
      assert.equal((await send("PUT", `/notes/${id}`, { body })).status, 200);
    },
  },
  {
    id: "M009",
    level: "MUST",
    name: "DELETE deletes the row, which then returns 404",
    source: "RFC 9110 §9.3.5",
    async run({ send, makeNote }) {
      const path = await makeNote();
      assert.equal((await send("DELETE", path)).status, 200);
      assert.equal((await send("GET", path)).status, 404);
      assert.equal((await send("DELETE", path)).status, 404);
    },
  },
  {
    id: "M010",
    level: "MUST",
    name: "safe methods change nothing",
    source: "RFC 9110 §9.2.1",
    async run({ send, makeNote }) {
      const path = await makeNote();
      const before = (await send("GET", path)).headers.get("etag");
      for (const method of ["HEAD", "OPTIONS", "GET"]) await send(method, path);
      await send("QUERY", "/notes", { body: {} });
      assert.equal((await send("GET", path)).headers.get("etag"), before);
    },
  },
  {
    id: "M011",
    level: "MUST",
    name: "QUERY returns the list that its content describes",
    source: "RFC 10008 §2",
    async run({ send, makeNote }) {
      const id = Number((await makeNote()).slice(7));
      const answer = await send("QUERY", "/notes", { body: { filter: { id: { eq: id } }, fields: ["id"] } });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, [{ id }]);
    },
  },
  {
    id: "M012",
    level: "MUST",
    name: "QUERY without a Content-Type, or with an unsupported one, is rejected",
    source: "RFC 10008 §2.1",
    async run({ send }) {
      assert.equal(
        (await send("QUERY", "/notes", { body: "{}", headers: { "content-type": "text/plain" } })).status,
        415,
      );
      const missing = await send("QUERY", "/notes");
      assert.ok(missing.status === 400 || missing.status === 415);
      assert.match(missing.headers.get("content-type") ?? "", /problem/);
    },
  },
  {
    id: "M013",
    level: "SHOULD",
    name: "Accept-Query lists the media types that QUERY accepts",
    source: "RFC 10008 §3",
    async run({ send }) {
      assert.match((await send("OPTIONS", "/notes")).headers.get("accept-query") ?? "", /application\/json/);
    },
  },
  {
    id: "M014",
    level: "SHOULD",
    name: "GET of the Location of a QUERY returns the same list",
    source: "RFC 10008 §2.4",
    async run({ send, makeNote }) {
      const id = Number((await makeNote()).slice(7));
      const answer = await send("QUERY", "/notes", { body: { filter: { id: { in: [id] } } } });
      const location = answer.headers.get("location") ?? "";
      const same = await send("GET", location.slice(location.indexOf("/notes")));
      assert.deepEqual(same.json, answer.json);
    },
  },
];
