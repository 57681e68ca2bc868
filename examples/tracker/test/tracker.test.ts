import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { principalOf } from "../src/people.ts";
import { type HOSTS, startTracker } from "../src/start.ts";

const postgres = servers.find(({ name }) => name === "postgres");
const hosts: readonly (keyof typeof HOSTS)[] = ["fastify", "express"];
const places = hosts.flatMap((host) => [
  { host, store: "sqlite", missing: undefined, create: undefined },
  { host, store: "postgres", missing: postgres?.missing, create: postgres?.create },
]);

interface Row {
  readonly id: string;
  /** Issues have it. */
  readonly number: number;
  /** Comments have it. */
  readonly text: string;
}

for (const { host, store, missing, create } of places) {
  describe.skipIf(missing !== undefined)(`the tracker on ${host} and ${store} ${missing ?? ""}`, () => {
    trackerOn(host, create);
  });
}

function trackerOn(host: keyof typeof HOSTS, create: (() => Promise<TestDatabase>) | undefined): void {
  let database: TestDatabase | undefined;
  let tracker: Awaited<ReturnType<typeof startTracker>>;
  beforeAll(async () => {
    database = await create?.();
    tracker = await startTracker({ host, port: 0, databaseUrl: database?.url });
  });
  afterAll(async () => {
    await tracker.close();
    await database?.drop();
  });

  /** Sends a request as a member. */
  async function send(id: string, method: string, path: string, body?: object) {
    const authorization = `Bearer ${tracker.keys.get(id) ?? ""}`;
    const content = { headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) };
    const init = body === undefined ? { headers: { authorization } } : content;
    const response = await fetch(tracker.url + path, { method, ...init });
    // The shape is up to each test.
    return { status: response.status, body: (await response.json()) as never };
  }

  async function rows(id: string, path: string): Promise<readonly Row[]> {
    return (await send(id, "GET", path)).body;
  }

  async function projectOf(id: string): Promise<string> {
    return (await rows(id, "/projects"))[0]?.id ?? "";
  }

  test("an unknown path is a page like the others", async () => {
    const response = await fetch(`${tracker.url}/nothing`, { headers: { accept: "text/html" } });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining("Nothing exists at this path"),
    ]);
  });

  test("each member sees the rows of the own organization only", async () => {
    const paths = ["organizations", "members", "projects", "labels", "issues"];
    for (const path of paths) {
      const [ann, bob, zoe] = await Promise.all(["ann", "bob", "zoe"].map((id) => rows(id, `/${path}`)));
      expect(ann).toEqual(bob);
      expect(ann).not.toEqual([]);
      const ids = new Set(ann?.map((row) => row.id));
      expect(zoe?.filter((row) => ids.has(row.id))).toEqual([]);
      for (const { id } of ann ?? []) expect((await send("zoe", "GET", `/${path}/${id}`)).status).toBe(404);
    }
    expect((await fetch(`${tracker.url}/issues`)).status).toBe(401);
  });

  test("the server sets the organization, the author and the number of an issue", async () => {
    const projectId = await projectOf("ann");
    const created = await send("bob", "POST", "/issues", { projectId, title: "Dark mode" });
    expect(created).toMatchObject({ status: 201, body: { authorId: "bob", status: "open", priority: 2, version: 1 } });
    for (const more of [{ orgId: projectId }, { number: 7 }, { authorId: "ann" }]) {
      expect((await send("bob", "POST", "/issues", { projectId, title: "x", ...more })).status).toBe(422);
    }
  });

  test("creates at the same time get different numbers without a gap", async () => {
    const projectId = await projectOf("ann");
    const before = (await rows("ann", `/issues?filter[projectId]=${projectId}&sort=-number`))[0]?.number;
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send("ann", "POST", "/issues", { projectId, title: `At once ${n}` })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const numbers = all.map(({ body }) => Number((body as Row).number)).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 8 }, (_, n) => Number(before) + n + 1));
  });

  test("a duplicate references the original by its project and number", async () => {
    const projectId = await projectOf("ann");
    const create = (title: string, more: object = {}) => send("ann", "POST", "/issues", { title, projectId, ...more });
    const { number, id } = (await create("original")).body as Row;
    const duplicate = (await create("duplicate", { duplicateOf: number })).body as Row;
    expect((await create("duplicate of nothing", { duplicateOf: 9_999 })).status).toBe(422);
    const read = await send("ann", "GET", `/issues/${id}?fields=title,duplicates.title,original.title`);
    expect(read.body).toEqual({ title: "original", duplicates: [{ title: "duplicate" }], original: null });
    expect((await send("ann", "DELETE", `/issues/${id}`)).status).toBe(200);
    expect((await send("ann", "GET", `/issues/${duplicate.id}`)).body).toMatchObject({ projectId, duplicateOf: null });
  });

  test("an issue has a history that other organizations can't read", async () => {
    const projectId = await projectOf("ann");
    const { id } = (await send("ann", "POST", "/issues", { projectId, title: "Draft" })).body as Row;
    await send("bob", "PATCH", `/issues/${id}`, { title: "Final" });
    const { body } = await send("ann", "GET", `/issues/${id}/history?fields=by,operation,changes`);
    const [updated, created] = body as readonly object[];
    expect(updated).toEqual({
      by: "bob",
      operation: "update",
      changes: [{ field: "title", from: "Draft", to: "Final" }],
    });
    expect(created).toMatchObject({ by: "ann", operation: "create" });
    expect(body).toHaveLength(2);
    expect((await send("zoe", "GET", `/issues/${id}/history`)).status).toBe(404);
  });

  test("projects count their open issues, and issues add up the time spent on them", async () => {
    const { body } = await send("ann", "GET", "/projects?sort=-openIssues&fields=id,openIssues");
    for (const { id, openIssues } of body as readonly { id: string; openIssues: number }[]) {
      const open = await rows("ann", `/issues?filter[projectId]=${id}&filter[status][ne]=done&page[size]=100`);
      expect(openIssues).toBe(open.length);
    }
    const issueId = (await rows("ann", "/issues?sort=-createdAt&page[size]=1"))[0]?.id;
    const minutesOf = async (): Promise<number | null> => {
      const issue: { minutes: number | null } = (await send("ann", "GET", `/issues/${issueId}`)).body;
      return issue.minutes;
    };
    const before = (await minutesOf()) ?? 0;
    expect((await send("ann", "POST", "/time-entries", { issueId, minutes: 25, day: "2026-11-23" })).status).toBe(201);
    expect(await minutesOf()).toBe(before + 25);
  });

  test("an issue can't be created in, or moved to, a project of another organization", async () => {
    const [own, other] = [await projectOf("ann"), await projectOf("zoe")];
    const missingProject = "00000000-0000-4000-8000-000000000099";
    const [hidden, absent] = await Promise.all(
      [own, missingProject].map((projectId) => send("zoe", "POST", "/issues", { projectId, title: "x" })),
    );
    expect(hidden?.status).toBe(422);
    expect(JSON.stringify(hidden).replaceAll(own, "ID")).toBe(JSON.stringify(absent).replaceAll(missingProject, "ID"));
    const issue = (await rows("ann", "/issues"))[0];
    expect((await send("bob", "POST", `/issues/${issue?.id}/move`, { projectId: other })).status).toBe(404);
    expect((await send("ann", "GET", `/issues/${issue?.id}`)).body).toEqual(issue);
    expect((await send("ann", "POST", "/projects", { key: "OPS", name: "Operations" })).status).toBe(201);
    expect((await send("bob", "POST", "/projects", { key: "NO", name: "No" })).status).toBe(403);
    const ops = (await rows("ann", "/projects?filter[key]=OPS"))[0]?.id;
    const moved = await send("bob", "POST", `/issues/${issue?.id}/move`, { projectId: ops });
    expect(moved).toMatchObject({ status: 200, body: { projectId: ops, number: 1 } });
  });

  test("finishing an issue comments as the caller, and is recorded", async () => {
    const id = String((await rows("bob", "/issues?filter[status]=open"))[0]?.id);
    expect((await send("zoe", "POST", `/issues/${id}/finish`, {})).status).toBe(404);
    expect(await send("bob", "POST", `/issues/${id}/finish`, { comment: "Done in 1.2." })).toMatchObject({
      status: 200,
      body: { status: "done" },
    });
    expect((await send("bob", "POST", `/issues/${id}/finish`)).status).toBe(409);
    expect(await rows("ann", `/issues/${id}/comments`)).toMatchObject([{ authorId: "bob", text: "Done in 1.2." }]);
    const { body } = await send("ann", "GET", `/issues/${id}/history?filter[action]=finish&fields=by,changes`);
    expect(body).toEqual([{ by: "bob", changes: [{ field: "status", from: "open", to: "done" }] }]);
  });

  test("both styles return the same issues, and connections are never null", async () => {
    const query =
      "{ issues(sort: [NUMBER_ASC], first: 5) { nodes { number title project { key } labels { nodes { name } } } } }";
    const { body } = await send("bob", "POST", "/graphql", { query });
    const fields = "number,title,project.key,labels.name";
    const rest = await rows("bob", `/issues?sort=number&page[size]=5&fields=${fields}`);
    const { nodes } = body["data"]["issues"] as { nodes: { labels: { nodes: unknown } }[] };
    expect(nodes.map((node) => ({ ...node, labels: node.labels.nodes }))).toEqual(rest);
    const connections = tracker.api.graphql.sdl().match(/: \w+Connection\b!?/g) ?? [];
    expect(connections.length).toBeGreaterThan(15);
    expect(connections.filter((type) => !type.endsWith("!"))).toEqual([]);
  });

  test("subscribers receive events of their organization only", async () => {
    const [ann, zoe] = ["ann", "zoe"].map((id) =>
      tracker.api.as(principalOf(id)).issue.watch()[Symbol.asyncIterator](),
    );
    const [toAnn, toZoe] = [ann?.next(), zoe?.next()];
    // A subscription opens asynchronously, so write until both have heard something.
    const heard = { ann: undefined as unknown, zoe: undefined as unknown };
    void toAnn?.then(({ value }) => (heard.ann = value));
    void toZoe?.then(({ value }) => (heard.zoe = value));
    const [own, other] = [await projectOf("ann"), await projectOf("zoe")];
    await expect
      .poll(
        async () => {
          await send("ann", "POST", "/issues", { projectId: own, title: "For Ann" });
          await send("zoe", "POST", "/issues", { projectId: other, title: "For Zoe" });
          return heard;
        },
        { interval: 100 },
      )
      .toMatchObject({ ann: { item: { title: "For Ann" } }, zoe: { item: { title: "For Zoe" } } });
    await Promise.all([ann?.return?.(), zoe?.return?.()]);
  });
}

test.each<[Record<string, string>, string]>([[{ HOST: "koa" }, 'HOST is express or fastify, and not "koa".']])(
  "the program rejects %j",
  async (env, message) => {
    const child = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { ...process.env, PORT: "0", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(text).toContain(message);
  },
);
