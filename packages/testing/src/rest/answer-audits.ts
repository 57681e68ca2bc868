import assert from "node:assert/strict";
import type { RestAudit } from "./audit.ts";

/** Errors, links, deprecation, and other origins. */
export const ANSWER_AUDITS: readonly RestAudit[] = [
  {
    id: "A001",
    level: "MUST",
    name: "an error is a problem with type, title and status",
    source: "RFC 9457 §3",
    async run({ send }) {
      for (const [path, status] of [
        ["/notes/1", 404],
        ["/notes?nope=1", 400],
        ["/locked", 401],
      ] as const) {
        const { status: sent, headers, json } = await send("GET", path);
        assert.equal(sent, status);
        assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
        const problem = json as Record<string, unknown>;
        assert.equal(problem["status"], status);
        for (const name of ["type", "title", "detail", "code"]) assert.equal(typeof problem[name], "string", name);
      }
    },
  },
  {
    id: "A002",
    level: "MUST",
    name: "401 carries a challenge",
    source: "RFC 9110 §11.6.1",
    async run({ send }) {
      assert.equal((await send("GET", "/locked")).headers.get("www-authenticate"), 'Bearer realm="audit"');
    },
  },
  {
    id: "A003",
    level: "SHOULD",
    name: "every mistake of an input is reported at once",
    source: "RFC 9457 §3.2",
    async run({ send }) {
      const { status, json } = await send("POST", "/notes", { body: { text: "", stars: 99, nope: 1 } });
      assert.equal(status, 422);
      const named = (json as { errors: { path: unknown[] }[] }).errors.map(({ path }) => path[0]);
      for (const name of ["id", "text", "stars", "nope"]) assert.ok(named.includes(name), name);
    },
  },
  {
    id: "A004",
    level: "MUST",
    name: "malformed content returns 400, and too much of it 413",
    source: "RFC 9110 §15.5.1, §15.5.14",
    async run({ send }) {
      assert.equal((await send("POST", "/notes", { body: "{" })).status, 400);
      const status = await send("POST", "/notes", { body: JSON.stringify({ text: "x".repeat(2_000_000) }) }).then(
        (answer) => answer.status,
        // A server may close the connection while the client still sends.
        () => undefined,
      );
      if (status !== undefined) assert.equal(status, 413);
      assert.equal((await send("GET", "/notes")).status, 200);
    },
  },
  {
    id: "A005",
    level: "SHOULD",
    name: "links lead forward and back through a list, without gap or repetition",
    source: "RFC 8288 §3",
    async run({ send, makeNote }) {
      const parent = await makeNote();
      const noteId = Number(parent.slice(7));
      for (let n = 0; n < 5; n++) await makeNote({ noteId });
      const ids: number[] = [];
      const linked = (header: string, rel: string): string | undefined =>
        new RegExp(`<([^>]+)>; rel="${rel}"`).exec(header)?.[1];
      let path: string | undefined = `${parent}/children?sort=id&page[size]=2`;
      let previous: string | undefined;
      while (path !== undefined) {
        const { json, headers } = await send("GET", path);
        ids.push(...(json as { id: number }[]).map(({ id }) => id));
        const header = headers.get("link") ?? "";
        previous = linked(header, "prev") ?? previous;
        const next = linked(header, "next");
        path = next?.slice(next.indexOf("/notes/"));
      }
      assert.equal(new Set(ids).size, 5);
      assert.equal(ids.length, 5);
      assert.ok(previous !== undefined);
      const back = await send("GET", previous.slice(previous.indexOf("/notes/")));
      assert.deepEqual(
        (back.json as { id: number }[]).map(({ id }) => id),
        ids.slice(2, 4),
      );
    },
  },
  {
    id: "A006",
    level: "MUST",
    name: "Deprecation is a date, and Sunset an HTTP date that isn't earlier",
    source: "RFC 9745 §2, §4; RFC 8594 §3",
    async run({ send }) {
      const { headers } = await send("GET", "/fading");
      const since = /^@(\d+)$/.exec(headers.get("deprecation") ?? "")?.[1];
      const sunset = headers.get("sunset") ?? "";
      assert.ok(since !== undefined);
      assert.equal(new Date(sunset).toUTCString(), sunset);
      assert.ok(Date.parse(sunset) / 1_000 >= Number(since));
      assert.match(headers.get("link") ?? "", /rel="deprecation"/);
    },
  },
  {
    id: "A007",
    level: "MUST",
    name: "only pages of listed origins can read responses",
    source: "WHATWG Fetch §3.3",
    async run({ send }) {
      const of = async (origin: string): Promise<string | null> =>
        (await send("GET", "/notes", { headers: { origin } })).headers.get("access-control-allow-origin");
      assert.equal(await of("https://app.example"), "https://app.example");
      for (const origin of ["https://evil.example", "null", "https://app.example.evil"])
        assert.equal(await of(origin), null);
      const vary = (await send("GET", "/notes", { headers: { origin: "null" } })).headers.get("vary") ?? "";
      assert.match(vary, /origin/i);
    },
  },
  {
    id: "A008",
    level: "MUST",
    name: "a preflight gets its response before authentication",
    source: "WHATWG Fetch §4.8",
    async run({ send }) {
      const headers = { origin: "https://app.example", "access-control-request-method": "PATCH" };
      const { status, headers: answered } = await send("OPTIONS", "/locked/1", { headers });
      assert.equal(status, 204);
      assert.match(answered.get("access-control-allow-methods") ?? "", /PATCH/);
    },
  },
  {
    id: "A009",
    level: "SHOULD",
    name: "the API describes itself",
    source: "OpenAPI 3.1, RFC 9110 §4",
    async run({ send }) {
      const index = await send("GET", "/");
      assert.equal(index.status, 200);
      const { json } = await send("GET", "/openapi.json");
      assert.match((json as { openapi: string }).openapi, /^3\.[12]\./);
    },
  },
  {
    id: "A010",
    level: "MUST",
    name: "an unknown parameter is rejected, or ignored if the client is lenient",
    source: "RFC 7240 §4.4",
    async run({ send }) {
      assert.equal((await send("GET", "/notes?nope=1")).status, 400);
      const lenient = await send("GET", "/notes?nope=1", { headers: { prefer: "handling=lenient" } });
      assert.deepEqual([lenient.status, lenient.headers.get("preference-applied")], [200, "handling=lenient"]);
    },
  },
];
