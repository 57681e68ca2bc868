import type { GraphqlSettings } from "@bifocal/core";
import { expect } from "vitest";
import { bytes, type Case, codeOf, globalId, runCases } from "./case.ts";
import type { Doors, Reply } from "./doors.ts";

/** A name that never existed, with the same length as the hidden one. */
const MADE_UP = "unknownScore1";
const HIDDEN = "internalScore";
const MADE_UP_HASH = "unknownHash1";

/**
 * Requests a hidden name and a name that never existed. An attacker must not see a difference between the responses.
 */
async function expectSame(ask: (name: string) => Promise<Reply>, hidden = HIDDEN, madeUp = MADE_UP): Promise<Reply> {
  const one = await ask(hidden);
  expect(bytes(one, hidden)).toEqual(bytes(await ask(madeUp), madeUp));
  expect(one.status).toBe(400);
  return one;
}

const rest =
  ({ rest: ask }: Doors, path: (name: string) => string) =>
  (name: string): Promise<Reply> =>
    ask("alice", "GET", path(name));
const graphql =
  ({ graphql: ask }: Doors, document: (name: string) => string) =>
  (name: string): Promise<Reply> =>
    ask("alice", document(name));

const cases: readonly Case[] = [
  {
    id: "A06",
    title: "rejects the selection of an internal field like an unknown name",
    async run(place) {
      await expectSame(rest(place, (name) => `/tasks?fields=${name}`));
      await expectSame(rest(place, (name) => `/tasks?fields=id,title,${name}`));
      await expectSame(
        rest(place, (name) => `/tasks?include=assignee&fields=id,assignee.${name}`),
        "passwordHash",
        MADE_UP_HASH,
      );
      await expectSame(graphql(place, (name) => `{ tasks { nodes { ${name} } } }`));
      await expectSame(
        graphql(place, (name) => `{ tasks { nodes { assignee { ${name} } } } }`),
        "passwordHash",
        MADE_UP_HASH,
      );
      const { text } = await place.graphql("alice", "{ tasks { nodes { internalScor } } }");
      expect(text).not.toContain("internalScore");
    },
  },
  {
    id: "A07",
    title: "rejects a filter by an internal field",
    async run(place) {
      for (const operator of ["gte", "eq", "isNull", "in"]) {
        await expectSame(rest(place, (name) => `/tasks?filter[${name}][${operator}]=50`));
        await expectSame(
          graphql(place, (name) => `{ tasks(filter: { ${name}: { ${operator}: 50 } }) { nodes { id } } }`),
        );
      }
      const { status, json } = await place.rest("alice", "GET", "/projects?filter[budget][gte]=1");
      expect([status, (json as { code: string }).code]).toEqual([403, "FORBIDDEN"]);
    },
  },
  {
    id: "A08",
    title: "rejects it at any depth, and within and, or, not, some, every and none",
    async run(place) {
      const names = ["passwordHash", MADE_UP_HASH] as const;
      const wraps: readonly ((inner: string) => string)[] = [
        (inner) => `filter[assignee]${inner}`,
        (inner) => `filter[not][assignee]${inner}`,
        (inner) => `filter[or][0][and][0][not][assignee]${inner}`,
        (inner) => `filter[watchers][some]${inner}`,
        (inner) => `filter[watchers][every]${inner}`,
        (inner) => `filter[project][org][users][none]${inner}`,
      ];
      for (const wrap of wraps) {
        await expectSame(
          rest(place, (name) => `/tasks?${wrap(`[${name}][startsWith]`)}=$2b$10$a`),
          ...names,
        );
      }
      await expectSame(
        rest(place, (name) => `/tasks?filter[assignee.${name}][startsWith]=$2b`),
        ...names,
      );
      const filters: readonly ((name: string) => string)[] = [
        (name) => `{ assignee: { ${name}: { startsWith: "$2b" } } }`,
        (name) => `{ not: { or: [{ and: [{ watchers: { some: { ${name}: { startsWith: "$2b" } } } }] }] } }`,
        (name) => `{ project: { org: { users: { every: { ${name}: { startsWith: "$2b" } } } } } }`,
      ];
      for (const filter of filters) {
        await expectSame(
          graphql(place, (name) => `{ tasks(filter: ${filter(name)}) { nodes { id } } }`),
          ...names,
        );
      }
      // A field that a rule hides is rejected by name, at any depth.
      for (const path of [
        "filter[project][budget][gt]=1",
        "filter[not][project][tasks][some][project][budget][gt]=1",
      ]) {
        expect((await place.rest("alice", "GET", `/tasks?${path}`)).status).toBe(403);
      }
      for (const path of ["filter[assignee][email]=x", "filter[project.org.users][some][email][startsWith]=a"]) {
        expect((await place.rest("alice", "GET", `/tasks?${path}`)).status).toBe(403);
      }
    },
  },
  {
    id: "A09",
    title: "rejects unknown parameters",
    async run({ rest: ask }) {
      for (const query of [
        "where[updatedBy][email][$startsWith]=a",
        "lookup=x",
        "_q=a",
        "$filter=name eq 'a'",
        "search=secret",
        "q=secret",
        "alias[x]=passwordHash",
        "populate=*",
        "select=passwordHash",
      ]) {
        expect([query, (await ask("alice", "GET", `/tasks?${query}`)).status]).toEqual([query, 400]);
      }
    },
  },
  {
    id: "A10",
    title: "rejects a sort by an internal field",
    async run(place) {
      for (const sort of [(name: string) => name, (name: string) => `-${name}`, (name: string) => `title,${name}`]) {
        await expectSame(rest(place, (name) => `/tasks?sort=${sort(name)}`));
      }
      await expectSame(
        rest(place, (name) => `/tasks?sort=-assignee.${name}`),
        "passwordHash",
        MADE_UP_HASH,
      );
      await expectSame(
        graphql(place, (name) => `{ tasks(sort: [${name}_ASC]) { nodes { id } } }`),
        "INTERNAL_SCORE",
        "UNKNOWN_SCORE1",
      );
      expect((await place.rest("alice", "GET", "/projects?sort=budget")).status).toBe(403);
      expect((await place.rest("alice", "GET", "/tasks?sort=project.budget")).status).toBe(403);
      expect(codeOf(await place.graphql("alice", "{ projects(sort: [BUDGET_ASC]) { nodes { id } } }"))).toBe(
        "FORBIDDEN",
      );
    },
  },
  {
    id: "A11",
    title: "signs cursors, and binds them to their sort and filter",
    async run({ rest: ask, graphql: query }) {
      const { headers } = await ask("alice", "GET", "/tasks?sort=title&page[size]=1");
      const after = /page%5Bafter%5D=([^&>]+)/.exec(`${headers["link"]}`)?.[1] ?? "";
      expect(after).not.toBe("");
      expect((await ask("alice", "GET", `/tasks?sort=title&page[size]=1&page[after]=${after}`)).status).toBe(200);
      const text = decodeURIComponent(after);
      const forged = [
        `${text.slice(0, -2)}AA`,
        text.slice(1),
        globalId('["internalScore",50]'),
        globalId('{"sort":"internalScore","values":[50,"b1"]}'),
      ];
      for (const cursor of forged) {
        const path = `/tasks?sort=title&page[after]=${encodeURIComponent(cursor)}`;
        expect((await ask("alice", "GET", path)).status).toBe(400);
        const document = "query ($after: String) { tasks(sort: [TITLE_ASC], after: $after) { nodes { id } } }";
        expect(codeOf(await query("alice", document, { after: cursor }))).toBe("BAD_REQUEST");
      }
      for (const other of ["sort=-title", "sort=status", "sort=title&filter[status]=open"]) {
        expect((await ask("alice", "GET", `/tasks?${other}&page[after]=${after}`)).status).toBe(400);
      }
      // A cursor grants no rights: with another caller's cursor, the reader still sees only its own rows.
      const { json } = await ask("bob", "GET", `/tasks?sort=title&page[after]=${after}`);
      expect((json as readonly { id: string }[]).map(({ id }) => id)).toEqual(["b1", "b2", "b3"]);
    },
  },
  {
    id: "A12",
    title: "offers no aggregates by parameter or field",
    async run({ rest: ask, graphql: query, orgs }) {
      for (const one of ["aggregate[max]=budget", "groupBy=budget", "count=distinct(budget)", "having[budget][gt]=1"]) {
        expect([one, (await ask("alice", "GET", `/projects?${one}`)).status]).toEqual([one, 400]);
      }
      expect(codeOf(await query("alice", "{ tasksAggregate { max { internalScore } } }"))).toBe("BAD_REQUEST");
      expect(orgs.api.graphql.sdl()).not.toMatch(/aggregate|groupBy/i);
    },
  },
  {
    id: "A14",
    title: "counts only visible rows along a relation",
    async run({ graphql: query, orgs }) {
      await orgs.api.as(orgs.system).task.update("b1", { assigneeId: "alice" });
      await orgs.api.as(orgs.system).task.update("a2", { assigneeId: "alice" });
      const document = '{ user(id: "alice") { tasks { totalCount nodes { id } } } }';
      expect((await query("alice", document)).json).toEqual({
        data: { user: { tasks: { totalCount: 1, nodes: [{ id: "a2" }] } } },
      });
      const ask = async (filter: string): Promise<unknown> =>
        (await query("alice", `{ users(filter: ${filter}) { nodes { id } } }`)).json;
      // Hidden rows don't influence the result.
      expect(await ask('{ tasks: { some: { id: { eq: "b1" } } } }')).toEqual({ data: { users: { nodes: [] } } });
      expect(await ask('{ tasks: { every: { projectId: { eq: "pa" } } } }')).toEqual({
        data: { users: { nodes: [{ id: "adminA" }, { id: "alice" }] } },
      });
    },
  },
  {
    id: "A29",
    title: "derives ETags only from data that the reader can see",
    async run({ rest: ask, orgs }) {
      const paths = ["/tasks/a1", "/tasks", "/tasks?fields=id,title", "/users/adminA", "/users", "/projects"];
      const tags = async (): Promise<readonly string[]> =>
        Promise.all(paths.map(async (path) => `${(await ask("alice", "GET", path)).headers["etag"]}`));
      const before = await tags();
      const system = orgs.api.as(orgs.system);
      await system.task.actions.score("a1");
      await system.user.update("adminA", { email: "other@a.example" });
      await system.task.update("b1", { title: "other" });
      await system.project.update("pb", { name: "other" });
      expect(await tags()).toEqual(before);
      const tag = `${before[0]}`;
      expect((await ask("alice", "GET", "/tasks/b1", { headers: { "if-none-match": "*" } })).status).toBe(404);
      expect(
        (await ask("alice", "PATCH", "/tasks/a1", { body: { title: "new" }, headers: { "if-match": tag } })).status,
      ).toBe(200);
      expect(
        (await ask("alice", "PATCH", "/tasks/a1", { body: { title: "old" }, headers: { "if-match": tag } })).status,
      ).toBe(412);
      expect((await tags()).slice(0, 2)).not.toEqual(before.slice(0, 2));
    },
  },
  {
    id: "A29b",
    title: "compares If-Match only with data that its sender can see",
    async run({ rest: ask, orgs }) {
      const system = orgs.api.as(orgs.system);
      await system.user.update("alice", { role: "user" });
      const { headers } = await ask("alice", "GET", "/users/alice");
      const tag = `${headers["etag"]}`;
      await system.user.update("adminA", { email: "new@a.example" });
      const other = `${(await ask("alice", "GET", "/users/adminA")).headers["etag"]}`;
      expect(
        (await ask("alice", "PATCH", "/users/alice", { body: { name: "A" }, headers: { "if-match": other } })).status,
      ).toBe(412);
      expect(
        (await ask("alice", "PATCH", "/users/alice", { body: { name: "A" }, headers: { "if-match": tag } })).status,
      ).toBe(200);
      expect(
        (await ask("alice", "PATCH", "/users/alice", { body: { name: "B" }, headers: { "if-match": tag } })).status,
      ).toBe(412);
      expect(
        (await ask("alice", "PATCH", "/users/alice", { body: { name: "B" }, headers: { "if-none-match": tag } }))
          .status,
      ).toBe(200);
    },
  },
  {
    id: "A36",
    title: "applies a field's rule to its aliases",
    async run({ rest: ask, graphql: query }) {
      expect((await query("alice", "{ users { nodes { token: name name: passwordHash } } }")).status).toBe(400);
      const { json } = await query("alice", '{ user(id: "adminA") { name: email title: name } }');
      expect(json).toMatchObject({
        data: { user: { name: null, title: "Admin" } },
        errors: [{ path: ["user", "name"] }],
      });
      expect((await ask("alice", "GET", "/users?alias[x]=passwordHash")).status).toBe(400);
      const format = await ask("alice", "GET", "/users?fields=id,email");
      expect((format.json as readonly object[]).map((one) => Object.keys(one))).toEqual([["id"], ["id", "email"]]);
    },
  },
  {
    id: "A37",
    title: "searches and computes nothing outside the rules",
    graphql: {
      extend: [
        {
          typeDefs: "extend type Project { riskLabel: String! }",
          fields: {
            project: {
              riskLabel: {
                needs: ["budget"],
                resolve: ({ budget }: { readonly budget?: number | null }) =>
                  budget === undefined ? "unknown" : `risk ${budget}`,
              },
            },
          },
        },
      ],
    } as GraphqlSettings,
    async run({ rest: ask, graphql, orgs }) {
      // A computed field receives only the fields that its reader can see.
      const labels = "{ projects { nodes { riskLabel } } }";
      expect((await graphql("alice", labels)).json).toEqual({
        data: { projects: { nodes: [{ riskLabel: "unknown" }] } },
      });
      expect((await graphql("adminA", labels)).json).toEqual({
        data: { projects: { nodes: [{ riskLabel: "risk 100" }] } },
      });
      expect((await graphql("alice", '{ projects(filter: { riskLabel: { eq: "x" } }) { nodes { id } } }')).status).toBe(
        400,
      );
      // There is no full-text search.
      expect((await ask("alice", "GET", "/tasks?search=50")).status).toBe(400);
      expect((await ask("alice", "GET", "/tasks?filter[search]=50")).status).toBe(400);
      expect(orgs.api.graphql.sdl()).not.toMatch(/search\b/i);
    },
  },
];

runCases("fields", cases);
