import { asSystem, defineApi, defineResource, type Rule, silentLog } from "@bifocal/core";
import { expect } from "vitest";
import { z } from "zod";
import { bytes, type Case, codeOf, runCases } from "./case.ts";
import type { Reply } from "./doors.ts";

const issuesOf = ({ json }: Reply): readonly { path: readonly unknown[]; code: string }[] =>
  (json as { errors?: readonly { path: readonly unknown[]; code: string }[] }).errors ?? [];

const cases: readonly Case[] = [
  {
    id: "A15",
    title: "returns the same error for a reference to a hidden row as to a missing one",
    async run({ rest, graphql }) {
      const post = async (projectId: string): Promise<Reply> =>
        rest("alice", "POST", "/tasks", { body: { id: "n1", title: "x", projectId } });
      const hidden = await post("pb");
      expect(bytes(hidden, "pb")).toEqual(bytes(await post("zz"), "zz"));
      const patch = async (assigneeId: string): Promise<Reply> =>
        rest("alice", "PATCH", "/tasks/a1", { body: { assigneeId } });
      const unseen = await patch("bob");
      expect([unseen.status, issuesOf(unseen)[0]?.code]).toEqual([422, "unknown_reference"]);
      expect(bytes(unseen, "bob")).toEqual(bytes(await patch("zzz"), "zzz"));
      const mutate = async (id: string): Promise<Reply> =>
        graphql("alice", 'mutation ($id: ID!) { updateTask(id: "a1", input: { assigneeId: $id }) { id } }', { id });
      expect(bytes(await mutate("bob"), "bob")).toEqual(bytes(await mutate("zzz"), "zzz"));
      const link = async (id: string): Promise<Reply> => rest("alice", "PUT", `/tasks/a1/watchers/${id}`);
      expect((await link("bob")).status).toBe(404);
      expect(bytes(await link("bob"), "bob")).toEqual(bytes(await link("zzz"), "zzz"));
      expect((await link("adminA")).status).toBe(204);
      const inside = async (id: string): Promise<Reply> =>
        rest("alice", "POST", `/projects/${id}/tasks`, { body: { id: "n2", title: "x" } });
      expect(bytes(await inside("pb"), "pb")).toEqual(bytes(await inside("zz"), "zz"));
      expect((await inside("pb")).status).toBe(404);
    },
  },
  {
    id: "A16",
    title: "rejects moving a row to or from another owner",
    async run({ rest, graphql }) {
      const move = await rest("alice", "PATCH", "/tasks/a1", { body: { projectId: "pb" } });
      expect(move.status).toBe(422);
      const out = await rest("alice", "PATCH", "/projects/pa", { body: { orgId: "b" } });
      expect(out.status).toBe(422);
      const plain = await rest("alice", "PATCH", "/comments/ca", { body: { authorId: "adminA" } });
      expect([plain.status, codeOf(plain)]).toEqual([403, "FORBIDDEN"]);
      expect((await rest("alice", "PATCH", "/tasks/b1", { body: { projectId: "pa" } })).status).toBe(404);
      const mutation = 'mutation { updateComment(id: "ca", input: { authorId: "adminA" }) { id } }';
      expect(codeOf(await graphql("alice", mutation))).toBe("FORBIDDEN");
      const many = await rest("alice", "PATCH", "/tasks?filter[status]=open", { body: { projectId: "pb" } });
      expect(many.status).toBe(422);
      expect((await rest("alice", "GET", "/tasks/a1")).json).toMatchObject({ projectId: "pa" });
      expect((await rest("alice", "GET", "/comments/ca")).json).toMatchObject({ authorId: "alice" });
    },
  },
  {
    id: "A17",
    title: "names nothing in a conflict with a hidden row",
    async run({ rest, graphql }) {
      const create = (email: string): object => ({ id: "n", orgId: "a", name: "N", email });
      const visible = await rest("adminA", "POST", "/users", { body: create("alice@a.example") });
      expect([visible.status, issuesOf(visible)]).toMatchObject([409, [{ path: ["email"], code: "not_unique" }]]);
      const hidden = await rest("adminA", "POST", "/users", { body: create("bob@b.example") });
      expect([hidden.status, codeOf(hidden), issuesOf(hidden)]).toEqual([409, "CONFLICT", []]);
      expect(hidden.text).not.toMatch(/email|bob|users?_/);
      // Also if the row is visible but the field isn't.
      const unread = await rest("alice", "PATCH", "/users/alice", { body: { email: "admin@a.example" } });
      expect([unread.status, unread.text]).toEqual([409, expect.not.stringMatching(/email/)]);
      const key = await rest("alice", "POST", "/tasks", { body: { id: "b1", title: "x", projectId: "pa" } });
      expect([key.status, issuesOf(key)]).toEqual([409, []]);
      const mutation = 'mutation { createTask(input: { id: "b1", title: "x", projectId: "pa" }) { id } }';
      const answered = await graphql("alice", mutation);
      expect([codeOf(answered), answered.text]).toEqual(["CONFLICT", expect.not.stringMatching(/not_unique/)]);
      const many = await rest("alice", "POST", "/tasks", {
        body: [
          { id: "n1", title: "x", projectId: "pa" },
          { id: "b1", title: "x", projectId: "pa" },
        ],
      });
      expect([many.status, issuesOf(many).map(({ path }) => path)]).toEqual([409, [[1]]]);
      expect((await rest("alice", "GET", "/tasks/n1")).status).toBe(404);
    },
  },
  {
    id: "A19",
    title: "limits bulk writes to visible rows",
    async run({ rest, graphql }) {
      const patch = await rest("alice", "PATCH", "/tasks?filter[status]=open", { body: { title: "mine" } });
      expect(patch.status).toBe(200);
      const ids = "filter[id][in]=a3&filter[id][in]=b3";
      expect((await rest("alice", "DELETE", `/tasks?${ids}`)).status).toBe(200);
      const mutation =
        'mutation { updateTasks(filter: { id: { in: ["a1", "b1"] } }, input: { title: "again" }) { __typename } }';
      expect((await graphql("alice", mutation)).status).toBe(200);
      const { json } = await rest("bob", "GET", "/tasks?sort=title");
      expect((json as readonly { title: string }[]).map(({ title }) => title)).toEqual([
        "Task b1",
        "Task b2",
        "Task b3",
      ]);
      const mine = (await rest("alice", "GET", "/tasks?sort=title")).json as readonly { id: string; title: string }[];
      expect(mine.map(({ id, title }) => [id, title])).toEqual([
        ["a2", "Task a2"],
        ["a1", "again"],
      ]);
      for (const method of ["PATCH", "DELETE"]) {
        const sent = method === "PATCH" ? { body: { title: "x" } } : {};
        const hidden = await rest("alice", method, "/tasks?filter[internalScore]=50", sent);
        const madeUp = await rest("alice", method, "/tasks?filter[unknownScore1]=50", sent);
        expect(bytes(hidden, "internalScore")).toEqual(bytes(madeUp, "unknownScore1"));
      }
    },
  },
  {
    id: "A20",
    title: "requires an explicit empty filter for a write to all rows",
    async run({ rest, graphql, orgs }) {
      for (const path of [
        "/tasks",
        "/tasks?filter",
        "/tasks?filter[id]=",
        "/tasks?filter[and][0]",
        "/tasks?filter[or]",
      ]) {
        const { status } = await rest("alice", "DELETE", path);
        expect([path, status >= 400 || path.endsWith("=")]).toEqual([path, true]);
      }
      for (const filter of ["{}", "null", "{ and: [] }", "{ not: { or: [] } }", "{ id: {} }"]) {
        expect([
          filter,
          codeOf(await graphql("alice", `mutation { deleteTasks(filter: ${filter}) { __typename } }`)),
        ]).toEqual([filter, "BAD_REQUEST"]);
      }
      // An id of null matches no row.
      expect((await graphql("alice", "mutation { deleteTasks(filter: { id: null }) { __typename } }")).status).toBe(
        200,
      );
      const variable = "mutation ($filter: TaskFilter!) { deleteTasks(filter: $filter) { __typename } }";
      expect(codeOf(await graphql("alice", variable, { filter: {} }))).toBe("BAD_REQUEST");
      const alice = orgs.api.as({ id: "alice" }).task;
      for (const filter of [{}, undefined, { id: undefined }, { and: [] }, { id: {} }]) {
        await expect(alice.deleteMany(filter as never)).rejects.toMatchObject({ code: "BAD_REQUEST" });
      }
      expect((await rest("alice", "GET", "/tasks?count=true")).headers["total-count"]).toBe("3");
    },
  },
  {
    id: "A21",
    title: "denies access to every caller if a rule throws, and logs the cause",
    async run({ orgs }) {
      const broken: readonly unknown[] = [
        () => undefined,
        () => null,
        () => ({ ownerId: undefined }),
        () => ({ ownerId: { eq: undefined } }),
        () => ({ ownerId: { in: undefined } }),
        () => ({ ownerId: {} }),
        () => ({}),
        () => ({ and: [] }),
        () => ({ not: { ownerId: undefined } }),
        async () => undefined,
        async () => Promise.reject(new Error("no database")),
        () => {
          throw new Error("a mistake");
        },
      ];
      for (const [index, rule] of broken.entries()) {
        const said: string[] = [];
        const log = { ...silentLog, error: (message: string) => void said.push(message) };
        const only = rule as Rule;
        const note = defineResource("note", {
          fields: { id: z.string(), ownerId: z.string() },
          access: { read: only, create: only, update: only, delete: only },
          bulk: { delete: 5 },
          filterable: ["id"],
        });
        const api = defineApi({ resources: [note], log });
        await api.as(asSystem("a test prepares its rows")).note.create({ id: "1", ownerId: "ann" });
        for (const principal of [null, { id: "ann" }]) {
          const { note: docs } = api.as(principal);
          const code = principal === null ? "UNAUTHENTICATED" : "FORBIDDEN";
          const calls = [
            docs.list(),
            docs.get("1"),
            docs.create({ id: "2", ownerId: "ann" }),
            docs.update("1", { ownerId: "bob" }),
            docs.delete("1"),
            docs.deleteMany({ id: "1" }),
          ];
          for (const call of calls) await expect(call).rejects.toMatchObject({ code });
        }
        expect([index, said.length > 0]).toEqual([index, true]);
        await api.close();
      }
      expect(orgs.entries.filter(({ level }) => level === "error")).toEqual([]);
    },
  },
  {
    id: "A39",
    title: "gives a local call the rights of its caller, and bypasses rules only with a reason",
    async run({ orgs: { api, entries } }) {
      await expect(api.local.task.list()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      expect((await api.as({ id: "alice" }).task.list()).items).toHaveLength(3);
      entries.length = 0;
      expect((await api.as(asSystem("nightly report")).task.list()).items).toHaveLength(6);
      expect(entries).toEqual([{ level: "info", message: "A system call bypasses the access rules: nightly report" }]);
      expect(() => asSystem("")).toThrow(TypeError);
      const forged = { id: "x", ...(JSON.parse('{"~system":"x","claims":{"~system":"x"}}') as object) };
      await expect(api.as(forged).auditLog.list()).rejects.toMatchObject({ code: "FORBIDDEN" });
    },
  },
  {
    id: "B01",
    title: "rejects keys that cannot be written by name, and drops none",
    async run({ rest, graphql }) {
      const body = { id: "n", name: "x", orgId: "a", email: "n@a.example" };
      const all = await rest("alice", "POST", "/users", {
        body: { ...body, createdAt: "2020-01-01T00:00:00Z", version: 99, passwordHash: "x" },
      });
      expect([
        all.status,
        issuesOf(all)
          .map(({ path }) => String(path[0]))
          .sort(),
      ]).toEqual([422, ["createdAt", "passwordHash", "version"]]);
      const role = await rest("alice", "POST", "/users", { body: { ...body, role: "admin" } });
      expect([role.status, issuesOf(role)]).toMatchObject([403, [{ path: ["role"], code: "not_writable" }]]);
      expect((await rest("alice", "PATCH", "/users/alice", { body: { role: "admin" } })).status).toBe(403);
      expect(
        (
          await rest("alice", "PATCH", "/users/alice", {
            body: [{ op: "replace", path: "/role", value: "admin" }],
            headers: { "content-type": "application/json-patch+json" },
          })
        ).status,
      ).toBe(403);
      expect((await rest("alice", "POST", "/users", { body: { ...body, orgId: "b" } })).status).toBe(422);
      for (const field of ['createdAt: "2020-01-01T00:00:00Z"', "version: 99", 'passwordHash: "x"']) {
        const input = `{ id: "n", name: "x", orgId: "a", email: "n@a.example", ${field} }`;
        expect(codeOf(await graphql("alice", `mutation { createUser(input: ${input}) { id } }`))).toBe("BAD_REQUEST");
      }
      const admin = `mutation { updateUser(id: "alice", input: { role: admin }) { id } }`;
      expect(codeOf(await graphql("alice", admin))).toBe("FORBIDDEN");
      const hidden = await rest("alice", "POST", "/users", { body: { ...body, passwordHash: "x" } });
      const madeUp = await rest("alice", "POST", "/users", { body: { ...body, unknownHash1: "x" } });
      expect(bytes(hidden, "passwordHash")).toEqual(bytes(madeUp, "unknownHash1"));
      expect((await rest("adminA", "GET", "/users/n")).status).toBe(404);
    },
  },
  {
    id: "B02",
    title: "allows no nested writes outside the rules of their resource",
    async run({ rest, graphql }) {
      const nested: readonly object[] = [
        { project: { create: { id: "p", name: "x", budget: 1, orgId: "b" } } },
        { assignee: { update: { role: "admin" } } },
        { assignee: { connect: { id: "bob" } } },
        { comments: [{ body: "x" }] },
        { project: { id: "pb" } },
      ];
      for (const more of nested) {
        const body = { id: "n", title: "x", projectId: "pa", ...more };
        expect((await rest("alice", "POST", "/tasks", { body })).status).toBe(422);
        expect((await rest("alice", "PATCH", "/tasks/a1", { body: more })).status).toBe(422);
        const query = "mutation ($input: TaskCreate!) { createTask(input: $input) { id } }";
        const { status, text } = await graphql("alice", query, { input: body });
        expect([status, text]).toEqual([400, expect.not.stringContaining('"data":{"createTask":{"id"')]);
      }
      // A row that is created within another one is subject to its own rules.
      const inside = await rest("alice", "POST", "/tasks/a1/comments", {
        body: { id: "n", authorId: "adminA", body: "x" },
      });
      expect(inside.status).toBe(403);
      expect(
        (await rest("alice", "POST", "/tasks/b1/comments", { body: { id: "n", authorId: "alice", body: "x" } })).status,
      ).toBe(404);
    },
  },
  {
    id: "B03",
    title: "treats null like any other value in a write",
    async run({ rest, graphql }) {
      expect((await rest("alice", "PATCH", "/users/alice", { body: { role: null } })).status).toBeGreaterThanOrEqual(
        403,
      );
      expect(
        codeOf(await graphql("alice", 'mutation { updateUser(id: "alice", input: { role: null }) { id } }')),
      ).not.toBeUndefined();
      expect((await rest("alice", "PATCH", "/comments/ca", { body: { authorId: null } })).status).toBe(422);
      expect((await rest("alice", "PATCH", "/projects/pa", { body: { orgId: null } })).status).toBe(422);
      expect((await rest("alice", "PATCH", "/tasks/a1", { body: { assigneeId: null } })).json).toMatchObject({
        assigneeId: null,
      });
      expect((await rest("adminA", "GET", "/users/alice")).json).toMatchObject({ role: "user" });
    },
  },
  {
    id: "B04",
    title: "keeps prototypes safe from bodies",
    async run({ rest }) {
      for (const raw of [
        '{"__proto__":{"role":"admin"}}',
        '{"constructor":{"prototype":{"x":1}}}',
        '{"title":"x","__proto__":{"polluted":1}}',
        '{"meta":{"a":{"__proto__":{"polluted":1}}}}',
        '{"meta":{"constructor":{"prototype":{"polluted":1}}}}',
      ]) {
        const { status, text } = await rest("alice", "PATCH", "/tasks/a1", { raw });
        expect([raw, status, text]).toEqual([raw, 400, expect.stringContaining("The body must not contain '")]);
      }
      const raw = '[{"id":"n","title":"x","projectId":"pa","__proto__":{"role":"admin"}}]';
      const { status, text } = await rest("alice", "POST", "/tasks", { raw });
      expect([status, text]).toEqual([400, expect.stringContaining("The body must not contain '__proto__'.")]);
    },
  },
  {
    id: "B05",
    title: "keeps prototypes safe from query parameters",
    async run({ rest }) {
      for (const query of [
        "filter[__proto__][x]=1",
        "filter[constructor][prototype][x]=1",
        "__proto__[role]=admin",
        "a[constructor][prototype][b]=1",
        "rel[__proto__][filter][x]=1",
        "fields[__proto__]=id",
        "page[__proto__]=1",
        "sort=__proto__",
        "include=__proto__",
        "fields=constructor",
        "filter[toString]=1",
      ]) {
        expect([query, (await rest("alice", "GET", `/tasks?${query}`)).status]).toEqual([query, 400]);
      }
    },
  },
  {
    id: "B06",
    title: "keeps prototypes safe from documents and variables",
    async run({ rest, graphql }) {
      const query = 'mutation ($input: TaskUpdate!) { updateTask(id: "a1", input: $input) { id } }';
      const raw = `{"query":${JSON.stringify(query)},"variables":{"input":{"__proto__":{"title":"x"}}}}`;
      expect(
        (await rest("alice", "POST", "/graphql", { raw, headers: { accept: "application/graphql-response+json" } }))
          .status,
      ).toBe(400);
      const variables = '{"query":"{ __typename }","variables":{"__proto__":{"polluted":1}}}';
      expect((await rest("alice", "POST", "/graphql", { raw: variables })).status).toBeLessThan(500);
      const { text } = await graphql("alice", "{ tasks { nodes { __proto__: title constructor: id } } }");
      expect(text === "" || !text.includes('"polluted"')).toBe(true);
      expect(codeOf(await graphql("alice", '{ task(constructor: "a1") { id } }'))).toBe("BAD_REQUEST");
      expect(codeOf(await graphql("alice", "{ toString }"))).toBe("BAD_REQUEST");
    },
  },
  {
    id: "B07",
    title: "treats no member of Object as a resource, action or field",
    async run({ rest, graphql }) {
      for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"]) {
        for (const path of [`/${name}`, `/${name}/1`, `/tasks/a1/${name}`]) {
          expect([path, (await rest("alice", "GET", path)).status]).toEqual([path, 404]);
        }
        expect((await rest("alice", "POST", `/tasks/a1/${name}`, { body: {} })).status).toBe(404);
        expect(codeOf(await graphql("alice", `{ ${name} }`))).toBe("BAD_REQUEST");
      }
    },
  },
  {
    id: "B08",
    title: "treats a header named like a prototype as a normal header",
    async run({ rest, url }) {
      const { status } = await rest("alice", "GET", "/tasks", { headers: { constructor: "x", "to-string": "x" } });
      expect(status).toBe(200);
      expect(await sendRaw(url, "GET /api/tasks HTTP/1.1", ["__proto__: x", "Authorization: Bearer alice"])).toMatch(
        /^HTTP\/1\.1 (200|4\d\d)/,
      );
      const upgrade = [
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: graphql-transport-ws",
        "__proto__: x",
      ];
      expect(await sendRaw(url, "GET /api/graphql HTTP/1.1", upgrade)).toMatch(/^HTTP\/1\.1 (101|4\d\d)/);
    },
  },
  {
    id: "B09",
    title: "rejects a value of another type",
    async run({ rest, graphql }) {
      for (const body of [
        { title: {} },
        { title: ["a"] },
        { title: { not: "" } },
        { assigneeId: { eq: "x" } },
        { dueAt: 5 },
        { status: ["open"] },
      ]) {
        expect([body, (await rest("alice", "PATCH", "/tasks/a1", { body })).status]).toEqual([body, 422]);
      }
      for (const query of [
        "filter[title]=a&filter[title]=b",
        "filter[id][eq][x]=1",
        "filter[title][not]=x",
        "page[size]=1&page[size]=100",
        "filter=[object]",
        "filter[status]=nothing",
        "id=1&id=2",
      ]) {
        expect([query, (await rest("alice", "GET", `/tasks?${query}`)).status]).toEqual([query, 400]);
      }
      const query = "query ($id: ID!) { task(id: $id) { id } }";
      for (const id of [{}, ["a1", "a2"], null, true, { eq: "a1" }]) {
        expect(codeOf(await graphql("alice", query, { id }))).toBe("BAD_REQUEST");
      }
    },
  },
  {
    id: "B10",
    title: "never evaluates a value as an expression",
    async run({ rest, graphql }) {
      const values: readonly unknown[] = [["title", { isRaw: true }], { sql: "1=1" }, { $raw: "1=1" }, { isRaw: true }];
      for (const value of values) {
        expect((await rest("alice", "PATCH", "/tasks/a1", { body: { title: value } })).status).toBe(422);
        expect((await rest("alice", "PATCH", "/tasks/a1", { body: { meta: value } })).json).toMatchObject({
          meta: value,
        });
        const query = "query ($filter: TaskFilter) { tasks(filter: $filter) { nodes { id } } }";
        expect(codeOf(await graphql("alice", query, { filter: { title: { eq: value } } }))).toBe("BAD_REQUEST");
      }
    },
  },
  {
    id: "B11",
    title: "rejects unknown members",
    async run({ rest, graphql }) {
      expect((await rest("alice", "PATCH", "/tasks/a1", { body: { status: "nothing" } })).status).toBe(422);
      expect((await rest("alice", "GET", "/tasks?include=nothing")).status).toBe(400);
      expect(codeOf(await graphql("alice", 'mutation { updateTask(id: "a1", input: { nothing: 1 }) { id } }'))).toBe(
        "BAD_REQUEST",
      );
      expect(
        codeOf(await graphql("alice", 'mutation { updateTask(id: "a1", input: { status: nothing }) { id } }')),
      ).toBe("BAD_REQUEST");
      // The working draft of GraphQL over HTTP reserves unknown members of a request, so they are ignored, including
      // extensions.
      const body = { query: "{ __typename }", extensions: { nothing: 1 } };
      expect((await rest("alice", "POST", "/graphql", { body })).status).toBe(200);
    },
  },
  {
    id: "B12",
    title: "uses a list of writable members, so that their order doesn't matter",
    async run({ rest }) {
      const bodies = [
        '{"meta":{"role":"admin"},"passwordHash":"x","title":"t"}',
        '{"meta":{"passwordHash":{}},"internalScore":1}',
        '{"internalScore":1,"meta":{}}',
        '{"assignee":{"passwordHash":"x"},"title":"t"}',
      ];
      for (const raw of bodies)
        expect([raw, (await rest("alice", "PATCH", "/tasks/a1", { raw })).status]).toEqual([raw, 422]);
      expect((await rest("alice", "GET", "/tasks/a1")).json).toMatchObject({ title: "Task a1", meta: null });
    },
  },
];

/** The head of the response to a request that no client library would send. */
async function sendRaw(url: string, line: string, headers: readonly string[]): Promise<string> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.write([line, `Host: ${hostname}:${port}`, ...headers, "", ""].join("\r\n"));
  });
}

runCases("writes", cases);
