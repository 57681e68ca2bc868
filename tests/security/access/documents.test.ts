import { allow, apiKeys, defineApi, defineResource, deny, owner, signedIn, silentLog } from "@bifocal/core";
import { expect } from "vitest";
import { z } from "zod";
import { bytes, type Case, codeOf, runCases, settle } from "./case.ts";
import { ADAPTERS, type Reply } from "./doors.ts";

const SECRETS = /internalScore|passwordHash|internal_score|password_hash|\$2b\$/i;
const FORMATS = [
  "application/json",
  "application/vnd.api+json",
  "application/hal+json",
  "application/xml",
  "text/csv",
  "application/x-ndjson",
  "text/html",
] as const;

const cases: readonly Case[] = [
  {
    id: "A06b",
    title: "shows internal fields in no document, format, cursor or event",
    async run({ rest, graphql, events, orgs }) {
      const introspected = await graphql(
        "anon",
        "{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }",
      );
      const documents = [
        introspected.text,
        orgs.api.graphql.sdl(),
        JSON.stringify(orgs.api.openapi()),
        (await rest("anon", "GET", "/openapi.json")).text,
        (await rest("anon", "GET", "/client.json")).text,
        (await rest("anon", "GET", "/")).text,
        (await rest("adminA", "GET", "/-/schema")).text,
        (await rest("adminA", "GET", "/-/schema/tasks")).text,
        (await rest("adminA", "GET", "/-/schema/users")).text,
      ];
      for (const text of documents) expect(text).not.toMatch(SECRETS);
      expect(introspected.text).toContain('"dueAt"');
      expect(documents.filter((text) => text.includes("dueAt"))).toHaveLength(6);
      for (const accept of FORMATS) {
        for (const path of ["/tasks/a1?include=assignee", "/tasks?include=assignee", "/users"]) {
          const { status, text, headers } = await rest("adminA", "GET", path, { headers: { accept } });
          // Tables exist only for lists.
          const isTable = status === 406 && /csv|ndjson/.test(accept) && path.startsWith("/tasks/a1");
          expect([accept, path, isTable ? 200 : status]).toEqual([accept, path, 200]);
          if (!isTable) expect(`${headers["content-type"]}`).toContain(accept.split("+")[0]);
          expect(text).not.toMatch(SECRETS);
        }
      }
      const page = await rest("alice", "GET", "/tasks?page[size]=1");
      const after = /page%5Bafter%5D=([^&>]+)/.exec(`${page.headers["link"]}`)?.[1] ?? "";
      expect(Buffer.from(decodeURIComponent(after), "base64url").toString()).not.toMatch(SECRETS);
      const stream = await events("adminA", "/tasks");
      await orgs.api.as(orgs.system).task.update("a1", { title: "x" });
      await settle();
      expect(stream.got).toHaveLength(1);
      expect(JSON.stringify(stream.got)).not.toMatch(SECRETS);
      await stream.end();
    },
  },
  {
    id: "A28",
    title: "reports internal errors only by a code and the request id",
    async run({ rest, graphql, orgs }) {
      const cause =
        'duplicate key value violates unique constraint "users_email_key" in table "users" at /srv/app/db.ts';
      const inside = /users_email_key|constraint|\/srv|\.ts:\d|stack|select |table/i;
      orgs.faults.next = new Error(cause);
      const answers: Reply[] = [await rest("alice", "GET", "/tasks")];
      for (const [method, path, body] of [
        ["POST", "/tasks", { id: "n", title: "x", projectId: "pa" }],
        ["PATCH", "/tasks/a1", { title: "x" }],
        ["DELETE", "/tasks/a1", undefined],
        ["POST", "/tasks/a1/score", undefined],
      ] as const) {
        orgs.faults.next = new Error(cause);
        answers.push(await rest("alice", method, path, body === undefined ? {} : { body }));
      }
      orgs.faults.next = new Error(cause);
      answers.push(await graphql("alice", "{ tasks { nodes { id } } }"));
      for (const answer of answers) {
        expect(codeOf(answer)).toBe("INTERNAL");
        expect(answer.text).not.toMatch(inside);
      }
      expect(orgs.entries.filter(({ level }) => level === "error")).toHaveLength(answers.length);
      orgs.faults.next = undefined;
      const inputs = [
        await rest("alice", "POST", "/users", {
          body: { id: "n", name: 5, orgId: "zz", email: "no", passwordHash: 5 },
        }),
        await rest("alice", "GET", "/tasks?filter[dueAt][gt]=never"),
        await rest("alice", "GET", "/tasks?page[after]=%00"),
        await rest("alice", "GET", "/tasks/%ff"),
      ];
      for (const answer of inputs) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toMatch(inside);
      }
    },
  },
  {
    id: "A32",
    title: "reveals no type if introspection is disabled",
    graphql: { introspection: false },
    async run({ graphql }) {
      for (const query of ["{ __schema { types { name } } }", '{ __type(name: "AuditLog") { name } }']) {
        const { status, text } = await graphql("anon", query);
        expect([status, text]).toEqual([400, expect.not.stringMatching(/AuditLog"|"types"/)]);
      }
      const one = await graphql("anon", '{ __type(name: "AuditLog") { name } }');
      expect(bytes(one, "AuditLog")).toEqual(
        bytes(await graphql("anon", '{ __type(name: "NeverWas") { name } }'), "NeverWas"),
      );
      expect((await graphql("alice", "{ tasks { nodes { __typename } } }")).text).toContain('"Task"');
    },
  },
  {
    id: "A33",
    title: "suggests no name in errors if introspection is disabled, also for variables",
    graphql: { introspection: false },
    async run({ graphql }) {
      const input = 'mutation ($input: ProjectUpdate!) { updateProject(id: "pa", input: $input) { id } }';
      const answers = [
        await graphql("alice", "{ projct(id: 1) { id } }"),
        await graphql("alice", '{ project(id: "pa") { budgt } }'),
        await graphql("alice", '{ project(idd: "pa") { id } }'),
        await graphql("alice", "{ tasks(sort: [TITLE_AS]) { nodes { id } } }"),
        await graphql("alice", '{ tasks(filter: { titel: { eq: "x" } }) { nodes { id } } }'),
        await graphql("alice", input, { input: { budgt: 1 } }),
        await graphql("alice", '{ project(id: "pa") { ... on Projct { id } } }'),
      ];
      for (const { status, text } of answers) {
        expect([status, text]).toEqual([400, expect.not.stringMatching(/did you mean|budget|TITLE_ASC|"title"/i)]);
      }
    },
  },
  {
    id: "A34",
    title: "describes the API in documents, but not where it runs",
    async run({ rest }) {
      for (const path of ["/health", "/health?verbose", "/metrics", "/admin", "/docs", "/.env", "/schema"]) {
        expect([path, (await rest("anon", "GET", path)).status]).toEqual([path, 404]);
      }
      const { text } = await rest("anon", "GET", "/openapi.json");
      expect(text).not.toMatch(/127\.0\.0\.1:5432|postgres:|node_modules|sqlite/i);
    },
  },
  {
    id: "A41",
    title: "identifies a caller by its id together with the issuer",
    async run() {
      const note = defineResource("note", {
        fields: { id: z.string(), ownerId: z.string() },
        access: {
          read: owner("ownerId"),
          create: owner("ownerId"),
          update: owner("ownerId"),
          delete: owner("ownerId"),
        },
      });
      const auth = apiKeys({ staff1: { id: "staff:1" }, customer1: { id: "customer:1" } });
      const api = defineApi({ resources: [note], auth, log: silentLog });
      await api.as({ id: "staff:1" }).note.create({ id: "n", ownerId: "staff:1" });
      expect((await api.as({ id: "customer:1" }).note.list()).items).toEqual([]);
      expect((await api.as({ id: "1" }).note.list()).items).toEqual([]);
      expect((await api.as({ id: "staff:1" }).note.list()).items).toHaveLength(1);
      // Only the id identifies the owner, not another member of the principal.
      const forged = { id: "customer:1", roles: ["staff:1"], claims: { id: "staff:1", sub: "staff:1" } };
      expect((await api.as(forged).note.list()).items).toEqual([]);
      await api.close();
      // A caller with the same id from another issuer cannot replay the request.
      const open = defineApi({
        resources: [
          defineResource("note", {
            fields: { id: z.string() },
            access: { read: allow, create: signedIn, update: deny, delete: deny },
          }),
        ],
        auth: apiKeys({
          one: { id: "1", claims: { iss: "https://a.example" } },
          two: { id: "1", claims: { iss: "https://b.example" } },
        }),
        log: silentLog,
      });
      const served = await (ADAPTERS["node-http"] as (typeof ADAPTERS)[string])(open);
      const post = async (key: string): Promise<number> => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "k" };
        return (await fetch(`${served.url}/notes`, { method: "POST", headers, body: '{"id":"n"}' })).status;
      };
      expect([await post("one"), await post("one"), await post("two")]).toEqual([201, 201, 409]);
      await served.close();
    },
  },
];

runCases("documents", cases);
