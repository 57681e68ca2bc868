import { expect } from "vitest";
import { bytes } from "../access/case.ts";
import { type Case, runCatalogue } from "./harness.ts";

const alice = ["Authorization: Bearer alice", "Connection: close"];
const json = "Content-Type: application/json";
const QUERY = '{"query":"{ __typename }"}';
const body = (id: string): string => `{"id":"${id}","title":"x","projectId":"pa"}`;
const sized = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`;

const cases: readonly Case[] = [
  {
    id: "D01",
    title: "takes the method from the request line, whatever headers name",
    async run({ rest, orgs }) {
      for (const name of ["x-http-method-override", "x-method-override", "x-http-method"]) {
        const headers = { [name]: "DELETE" };
        expect((await rest("alice", "GET", "/tasks/a1", { headers })).status).toBe(200);
        expect((await rest("alice", "PATCH", "/tasks/a1", { headers, body: {} })).status).toBe(200);
        expect((await rest("alice", "POST", "/tasks/a1", { headers, body: {} })).status).toBe(405);
      }
      expect((await rest("alice", "GET", "/tasks/a1?_method=DELETE")).status).toBe(400);
      expect((await rest("alice", "POST", "/tasks?_method=DELETE", { body: {} })).status).toBe(400);
      expect((await rest("alice", "PATCH", "/tasks/a1", { body: { _method: "DELETE" } })).status).toBe(422);
      expect(orgs.calls).not.toContain("delete");
      expect((await rest("alice", "GET", "/tasks/a1")).status).toBe(200);
    },
  },
  {
    id: "D02",
    title: "serves HEAD like GET without its body: the same rules, the same headers",
    async run({ rest }) {
      for (const [who, path] of [
        ["alice", "/tasks?count=true&sort=title"],
        ["alice", "/tasks/a1"],
        ["alice", "/tasks/b1"],
        ["alice", "/tasks?fields=internalScore"],
        ["alice", "/projects?filter[budget][gt]=1"],
        ["anon", "/tasks"],
        ["alice", "/openapi.json"],
        ["alice", "/"],
      ] as const) {
        const got = await rest(who, "GET", path);
        const head = await rest(who, "HEAD", path);
        // The client can choose the connection.
        const compared = (reply: typeof got): unknown => {
          const { connection: _, "keep-alive": __, ...headers } = reply.headers;
          return bytes({ ...reply, headers, text: "" });
        };
        expect([path, compared(head)]).toEqual([path, compared(got)]);
        expect(head.text).toBe("");
      }
    },
  },
  {
    id: "D03",
    title: "rejects an unsupported method without calling a store",
    async run({ raw, orgs, adapter }) {
      // Fastify's own router has no route for methods that it does not know.
      const unknown = adapter === "fastify" ? [404] : [405];
      for (const [line, statuses] of [
        ["TRACE /api/tasks", [405]],
        ["PROPFIND /api/tasks", unknown],
        ["MKCOL /api/tasks", unknown],
        ["DELETE /api/orgs", [405]],
        ["PUT /api/tasks", [405]],
        ["PROPFIND /api/graphql", unknown],
        ["PATCH /api/graphql", [405]],
        ["get /api/tasks", [400]],
        ["NOTHING /api/tasks", [400]],
        ["GET", [400]],
      ] as const) {
        const { replies } = await raw(line, alice);
        expect([line, statuses]).toEqual([line, expect.arrayContaining([replies[0]?.status])]);
        if (replies[0]?.status === 405) expect(replies[0].headers["allow"]).toMatch(/[A-Z]/);
      }
      // The host handles requests outside the API; nothing else may happen.
      for (const line of ["OPTIONS *", "CONNECT example.com:443"]) {
        const { replies } = await raw(line, alice, "", { patience: 500 });
        expect(replies[0]?.status ?? 400).toBeGreaterThanOrEqual(200);
      }
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "D05",
    title: "runs no GraphQL from a body that a form of another site can send",
    async run({ rest, orgs }) {
      const mutation = '{"query":"mutation { deleteTask(id: \\"a1\\") { deleted } }"}';
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "",
      ]) {
        const answered = await rest("alice", "POST", "/graphql", { raw: mutation, headers: { "content-type": type } });
        expect([type, answered.status]).toEqual([type, 415]);
      }
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "D06",
    title: "rejects a mutation by GET without running it",
    async run({ rest, orgs }) {
      const query = encodeURIComponent('mutation { deleteTask(id: "a1") { deleted } }');
      for (const accept of ["application/json", "application/graphql-response+json", "text/event-stream"]) {
        const { status } = await rest("alice", "GET", `/graphql?query=${query}`, { headers: { accept } });
        expect([accept, status]).toEqual([accept, 405]);
      }
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "D09",
    title: "reads only bodies with a Content-Type",
    async run({ raw, orgs }) {
      for (const [method, path, text] of [
        ["POST", "/api/tasks", body("d09")],
        ["PATCH", "/api/tasks/a1", "{}"],
        ["PUT", "/api/projects/pa", "{}"],
        ["POST", "/api/graphql", QUERY],
      ] as const) {
        for (const type of [[], ["Content-Type:"], ["Content-Type:  "]]) {
          const { replies } = await raw(`${method} ${path}`, [...alice, ...type, sized(text)], text);
          expect([method, path, replies[0]?.status]).toEqual([method, path, 415]);
        }
      }
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "D10",
    title: "makes no error and no response to an authenticated caller cacheable",
    async run({ rest, orgs }) {
      const refused = [
        await rest("anon", "GET", "/tasks"),
        await rest("alice", "GET", "/tasks/b1"),
        await rest("alice", "GET", "/tasks?nothing=1"),
        await rest("alice", "POST", "/tasks", { body: {} }),
        await rest("alice", "POST", "/orgs", { body: {} }),
        await rest("alice", "GET", "/tasks", { headers: { accept: "image/png" } }),
        await rest("bob", "GET", "/tasks?page[size]=100000"),
      ];
      orgs.faults.next = new Error("The store failed.");
      refused.push(await rest("alice", "GET", "/tasks/a1"));
      expect(refused.at(-1)?.status).toBe(500);
      orgs.entries.length = 0;
      for (const { status, headers } of refused) {
        expect([status, headers["cache-control"]]).toEqual([status, "no-store"]);
        expect([headers["set-cookie"], headers["age"]]).toEqual([undefined, undefined]);
      }
      for (const path of ["/tasks", "/tasks/a1", "/projects/pa"]) {
        const { headers } = await rest("alice", "GET", path);
        expect([headers["cache-control"], headers["vary"]]).toEqual([
          expect.stringMatching(/private|no-store/),
          expect.stringContaining("Authorization"),
        ]);
      }
    },
  },
  {
    id: "D11",
    title: "compares preconditions as RFC 9110 requires, and serves no ranges",
    async run({ rest }) {
      const { headers } = await rest("alice", "GET", "/projects/pa");
      const tag = `${headers["etag"]}`;
      const patch = async (given: Record<string, string>): Promise<number> =>
        (await rest("alice", "PATCH", "/projects/pa", { body: { name: "Project A" }, headers: given })).status;
      expect(await patch({ "if-match": `W/${tag}` })).toBe(412);
      expect(await patch({ "if-match": '"other"' })).toBe(412);
      expect(await patch({ "if-none-match": "*" })).toBe(412);
      expect(await patch({ "if-none-match": tag })).toBe(412);
      expect(await patch({ "if-match": "*" })).toBe(200);
      const whole = { id: "pa", name: "Project A", orgId: "a", budget: null };
      const put = await rest("alice", "PUT", "/projects/pa", { body: whole, headers: { "if-none-match": "*" } });
      expect(put.status).toBe(412);
      for (const range of ["bytes=0-1", "bytes=-1", "bytes=9999999999999999999-", "rows=0-1", "bytes=0-0,0-0", ",;="]) {
        const answered = await rest("alice", "GET", "/projects/pa", { headers: { range } });
        expect([range, answered.status, answered.headers["content-range"]]).toEqual([range, 200, undefined]);
      }
    },
  },
  {
    id: "D12",
    title: "sends a Content-Type with every response, and nothing about the server software",
    async run({ rest, graphql }) {
      const answers = [
        await rest("alice", "GET", "/tasks"),
        await rest("alice", "GET", "/tasks/zz"),
        await rest("anon", "GET", "/tasks"),
        await rest("alice", "POST", "/tasks", { body: {} }),
        await rest("alice", "GET", "/tasks/a1", { headers: { accept: "text/html" } }),
        await rest("alice", "GET", "/", { headers: { accept: "text/html" } }),
        await rest("alice", "GET", "/graphql", { headers: { accept: "text/html" } }),
        await graphql("alice", "{ __typename }"),
        await graphql("alice", "{"),
      ];
      for (const { status, headers } of answers) {
        expect([status, headers["x-content-type-options"]]).toEqual([status, "nosniff"]);
        expect(headers["content-type"]).toMatch(/^(application\/[a-z+.-]*json|text\/html; charset=utf-8)/);
        expect([headers["x-powered-by"], headers["server"]]).toEqual([undefined, undefined]);
        if (headers["content-type"]?.startsWith("text/html") === true) {
          expect(headers["content-security-policy"]).toMatch(/default-src|script-src/);
          expect(headers["referrer-policy"]).toBeDefined();
        }
      }
    },
  },
  {
    id: "G04",
    title: "limits a body, and rejects one that differs from its Content-Length",
    async run({ raw, orgs, rest }) {
      const large = `{"id":"${"x".repeat(1_048_577)}"}`;
      const { replies, isClosed } = await raw(
        "POST /api/tasks",
        [...alice, json, `Content-Length: ${large.length}`],
        large,
      );
      expect([replies[0]?.status, isClosed || replies[0]?.headers["connection"] === "close"]).toEqual([413, true]);
      const announced = await raw("POST /api/tasks", [alice[0] as string, json, "Content-Length: 9999999999"], "{");
      expect(announced.replies[0]?.status).toBe(413);
      const pieces = `${Array.from({ length: 17 }, () => `10000\r\n${"x".repeat(65_536)}\r\n`).join("")}0\r\n\r\n`;
      const chunked = await raw("POST /api/tasks", [...alice, json, "Transfer-Encoding: chunked"], pieces);
      expect(chunked.replies[0]?.status).toBe(413);
      // Content-Length too large: the request is rejected and its connection doesn't wait forever. Too small: the
      // rest is a separate request.
      const text = body("g04");
      const cut = await raw("POST /api/tasks", [...alice, json, `Content-Length: ${text.length + 5}`], text, {
        patience: 300,
      });
      expect(cut.replies).toEqual([]);
      const short = await raw(
        "POST /api/tasks",
        [alice[0] as string, json, `Content-Length: ${text.length - 1}`],
        text,
        {
          count: 2,
          patience: 1_000,
        },
      );
      expect(short.replies.map(({ status }) => status)).toEqual([400, 400]);
      expect(orgs.calls).toEqual([]);
      expect((await rest("alice", "GET", "/tasks/g04")).status).toBe(404);
    },
  },
  {
    id: "G05",
    title: "rejects a compressed body",
    async run({ raw, orgs }) {
      for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip, gzip", "x", "identity, gzip"]) {
        for (const [path, text] of [
          ["/api/tasks", body("g05")],
          ["/api/graphql", QUERY],
        ] as const) {
          const headers = [...alice, json, sized(text), `Content-Encoding: ${encoding}`];
          const { replies } = await raw(`POST ${path}`, headers, text);
          expect([encoding, path, replies[0]?.status]).toEqual([encoding, path, 415]);
        }
      }
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "G06",
    title: "rejects requests that two servers could split differently",
    async run({ raw, orgs }) {
      const text = body("g06");
      const hidden = `${text}GET /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice\r\n\r\n`;
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
      const attacks: readonly (readonly [headers: readonly string[], sent: string])[] = [
        [["Transfer-Encoding: chunked", sized(text)], chunk],
        [["Transfer-Encoding: chunked, identity"], chunk],
        [["Transfer-Encoding: identity, chunked", "Transfer-Encoding: x"], chunk],
        [["Transfer-Encoding : chunked"], chunk],
        [["Transfer-Encoding: xchunked"], chunk],
        [["Content-Length: +5"], hidden],
        [["Content-Length: 5 5"], hidden],
        [["Content-Length: 0x5"], hidden],
        [["Content-Length: -1"], hidden],
        [["Content-Length: 5, 6"], hidden],
        [["X: a\r\n b"], hidden],
        [["X: a\rb"], hidden],
        [["X\u0000: a"], hidden],
        [[": a"], hidden],
        [["Transfer-Encoding: chunked"], `${text.length.toString(16)};${"x".repeat(40_000)}\r\n${text}\r\n0\r\n\r\n`],
        [["Transfer-Encoding: chunked"], `-1\r\n${text}\r\n0\r\n\r\n`],
        [["Transfer-Encoding: chunked"], `ffffffffffffffffff\r\n${text}`],
      ];
      for (const [headers, sent] of attacks) {
        const { replies, isClosed } = await raw("POST /api/tasks", [alice[0] as string, json, ...headers], sent, {
          count: 2,
          patience: 1_000,
        });
        const statuses = replies.map(({ status }) => status);
        expect([headers, statuses.length <= 1, statuses.every((status) => status >= 400), isClosed]).toEqual([
          headers,
          true,
          true,
          true,
        ]);
      }
      expect(orgs.calls.filter((call) => call !== "list")).toEqual([]);
    },
  },
  {
    id: "G07",
    title: "responds to pipelined requests in order",
    async run({ port, raw }) {
      const count = 300;
      const many = Array.from({ length: count }, (_, index) =>
        [`GET /api/tasks/${index % 2 === 0 ? "a1" : "a2"} HTTP/1.1`, "Host: x", alice[0], "", ""].join("\r\n"),
      );
      const [first = "", ...others] = many;
      const lines = first.split(" HTTP/1.1\r\n")[0] ?? "";
      const { replies } = await raw(lines, [alice[0] as string], others.join(""), { count, patience: 15_000 });
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 200));
      const ids = replies.map(({ text }) => (JSON.parse(text) as { readonly id: string }).id);
      expect(ids).toEqual(Array.from({ length: count }, (_, index) => (index % 2 === 0 ? "a1" : "a2")));
      expect(port).toBeGreaterThan(0);
    },
  },
  {
    id: "G09",
    title: "speaks no other protocol, and requests no body that it will reject",
    async run({ raw, orgs }) {
      const upgrade = await raw("GET /api/tasks/a1", [
        "Authorization: Bearer alice",
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
      ]);
      expect([101, undefined]).not.toContain(upgrade.replies[0]?.status ?? 400);
      const preface = await raw("PRI * HTTP/2.0\r\n\r\nSM", [], "", { count: 2, patience: 1_000 });
      expect([preface.replies[0]?.status ?? 400, preface.isClosed]).toEqual([400, true]);
      orgs.calls.length = 0;
      const expecting = await raw(
        "POST /api/tasks",
        [alice[0] as string, json, "Content-Length: 9999999", "Expect: 100-continue"],
        "",
      );
      expect(expecting.replies[0]?.status).toBe(413);
      const strange = await raw("GET /api/tasks", [...alice, "Expect: the-unexpected"]);
      expect(strange.replies[0]?.status).toBe(417);
      expect(orgs.calls).toEqual([]);
    },
  },
  {
    id: "G10",
    title: "puts no host name of a request into a response",
    async run({ raw, orgs }) {
      const evil = ["Host: evil.example", "X-Forwarded-Host: evil.example", "Forwarded: host=evil.example"];
      for (const line of [
        "GET /api/tasks?page[size]=1",
        "GET /api/tasks/zz",
        "GET /api/",
        "GET /api/openapi.json",
        "GET /api/tasks/a1",
      ]) {
        const { replies } = await raw(line, [...alice, ...evil, "X-Forwarded-Proto: javascript"]);
        expect([
          line,
          JSON.stringify(replies[0]).includes("evil"),
          JSON.stringify(replies[0]).includes("javascript:"),
        ]).toEqual([line, false, false]);
      }
      const text = body("g10");
      const { replies } = await raw("POST /api/tasks", [...alice, ...evil, json, sized(text)], text);
      expect(replies[0]?.headers["location"]).toBe("/api/tasks/g10");
      await orgs.api.as(orgs.system).task.delete("g10");
      const missing = await raw("GET /api/tasks", ["Host;", ...alice]);
      expect(missing.replies[0]?.status ?? 400).toBe(400);
    },
  },
];

runCatalogue("HTTP", cases);
