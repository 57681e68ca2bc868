import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { RestAudit } from "./audit.ts";

const JSON_PATCH = { "content-type": "application/json-patch+json" };
const MERGE = { "content-type": "application/merge-patch+json" };

/** RFC 5789, 6902, 7396, and the drafts and practices of writing safely. */
export const WRITE_AUDITS: readonly RestAudit[] = [
  {
    id: "W001",
    level: "SHOULD",
    name: "Accept-Patch lists the types that PATCH accepts",
    source: "RFC 5789 §3.1",
    async run({ send, makeNote }) {
      const types = (await send("OPTIONS", await makeNote())).headers.get("accept-patch") ?? "";
      for (const type of ["application/merge-patch+json", "application/json-patch+json"])
        assert.ok(types.includes(type));
    },
  },
  {
    id: "W002",
    level: "MUST",
    name: "a merge patch changes the named members, and null removes them",
    source: "RFC 7396 §2",
    async run({ send, makeNote }) {
      const parent = Number((await makeNote()).slice(7));
      const path = await makeNote({ noteId: parent });
      const { json } = await send("PATCH", path, { body: { noteId: null }, headers: MERGE });
      assert.deepEqual([(json as { noteId: unknown }).noteId, (json as { text: unknown }).text], [null, "a note"]);
    },
  },
  {
    id: "W003",
    level: "MUST",
    name: "JSON Patch supports all six operations",
    source: "RFC 6902 §4",
    async run({ send, makeNote }) {
      const body = [
        { op: "test", path: "/text", value: "a note" },
        { op: "replace", path: "/text", value: "b" },
        { op: "add", path: "/words/-", value: "x" },
        { op: "copy", from: "/words/0", path: "/words/-" },
        { op: "add", path: "/words/0", value: "y" },
        { op: "move", from: "/words/0", path: "/words/2" },
        { op: "remove", path: "/words/0" },
      ];
      const { status, json } = await send("PATCH", await makeNote(), { body, headers: JSON_PATCH });
      assert.equal(status, 200);
      assert.deepEqual([(json as { text: unknown }).text, (json as { words: unknown }).words], ["b", ["x", "y"]]);
    },
  },
  {
    id: "W004",
    level: "MUST",
    name: "a patch that fails changes nothing",
    source: "RFC 5789 §2, RFC 6902 §5",
    async run({ send, makeNote }) {
      const path = await makeNote();
      const tag = (await send("GET", path)).headers.get("etag");
      const body = [
        { op: "replace", path: "/text", value: "b" },
        { op: "test", path: "/stars", value: 0 },
      ];
      assert.equal((await send("PATCH", path, { body, headers: JSON_PATCH })).status, 409);
      assert.equal((await send("GET", path)).headers.get("etag"), tag);
    },
  },
  {
    id: "W005",
    level: "SHOULD",
    name: "a malformed patch returns 400, and one with an invalid result 422",
    source: "RFC 5789 §2.2",
    async run({ send, makeNote }) {
      const path = await makeNote();
      assert.equal(
        (await send("PATCH", path, { body: [{ op: "nope", path: "/x" }], headers: JSON_PATCH })).status,
        400,
      );
      assert.equal(
        (await send("PATCH", path, { body: [{ op: "replace", path: "/stars", value: 99 }], headers: JSON_PATCH }))
          .status,
        422,
      );
    },
  },
  {
    id: "W006",
    level: "MUST",
    name: "a repeated request with the same Idempotency-Key runs once",
    source: "draft-ietf-httpapi-idempotency-key-header-07 §2.6",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const headers = { "idempotency-key": `"${randomUUID()}"` };
      const post = () => send("POST", "/notes", { body: { id, text: "x", stars: 1 }, headers });
      const [one, two] = [await post(), await post()];
      assert.deepEqual([one.status, two.status, two.json], [201, 201, one.json]);
      assert.equal(two.headers.get("location"), one.headers.get("location"));
    },
  },
  {
    id: "W007",
    level: "SHOULD",
    name: "another request with the same Idempotency-Key returns 422",
    source: "draft-ietf-httpapi-idempotency-key-header-07 §2.7",
    async run({ send, makeNote }) {
      const headers = { "idempotency-key": `"${randomUUID()}"` };
      const path = await makeNote();
      assert.equal((await send("POST", `${path}/shout`, { headers })).status, 200);
      assert.equal((await send("POST", `${await makeNote()}/shout`, { headers })).status, 422);
    },
  },
  {
    id: "W008",
    level: "MUST",
    name: "many rows are created all or none",
    source: "Bifocal, bulk writes",
    async run({ send }) {
      const id = Math.floor(Math.random() * 1e9);
      const bad = await send("POST", "/notes", {
        body: [
          { id, text: "x", stars: 1 },
          { id: id + 1, text: "", stars: 1 },
        ],
      });
      assert.equal(bad.status, 422);
      assert.deepEqual((bad.json as { errors: { path: unknown }[] }).errors[0]?.path, [1, "text"]);
      assert.equal((await send("GET", `/notes/${id}`)).status, 404);
    },
  },
  {
    id: "W009",
    level: "MUST",
    name: "a bulk write without a filter is rejected",
    source: "Bifocal, bulk writes",
    async run({ send }) {
      assert.equal((await send("DELETE", "/notes")).status, 400);
      assert.equal((await send("PATCH", "/notes", { body: { stars: 0 }, headers: MERGE })).status, 400);
    },
  },
];
