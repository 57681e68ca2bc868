import { asSystem } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { servers } from "@bifocal/test-servers";
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createNotesApi } from "./notes-api.ts";

const JSON_PATCH = { "content-type": "application/json-patch+json" };
const JSON_API = { "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" };

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the version of this row in `If-Match`. */
  readonly matches?: string;
  /** The status of the retry. */
  readonly status: number;
  readonly returns?: unknown;
}

const WRITES: readonly Write[] = [
  { method: "POST", path: "/orders", body: { token: "one" }, status: 201, returns: { token: "one" } },
  {
    method: "POST",
    path: "/orders",
    body: [{ token: "many" }, { token: "many" }],
    status: 201,
    returns: [{ token: "many" }, { token: "many" }],
  },
  {
    method: "POST",
    path: "/shelfs",
    body: { id: "nested", name: "N", orders: [{ token: "nested" }] },
    status: 201,
    returns: { id: "nested" },
  },
  { method: "POST", path: "/shelfs/s/orders", body: { token: "within" }, status: 201, returns: { shelfId: "s" } },
  { method: "PUT", path: "/shelfs/upserted", body: { name: "U" }, status: 201, returns: { id: "upserted" } },
  { method: "PUT", path: "/shelfs/replaced", body: { name: "R" }, status: 200, returns: { name: "R" } },
  {
    method: "PUT",
    path: "/notes/put",
    matches: "put",
    body: { text: "new", log: [], hits: 7, isDone: true, shelfId: null },
    status: 200,
    returns: { text: "new" },
  },
  {
    method: "PATCH",
    path: "/notes/patched",
    matches: "patched",
    body: { text: "new" },
    status: 200,
    returns: { text: "new" },
  },
  { method: "PATCH", path: "/notes/renamed", body: { id: "renamed2" }, status: 200, returns: { id: "renamed2" } },
  {
    method: "PATCH",
    path: "/notes/appended",
    body: [{ op: "add", path: "/log/-", value: "x" }],
    headers: JSON_PATCH,
    status: 200,
    returns: { log: ["x"] },
  },
  {
    method: "PATCH",
    path: "/notes/tested",
    body: [
      { op: "test", path: "/text", value: "tested" },
      { op: "replace", path: "/text", value: "new" },
    ],
    headers: JSON_PATCH,
    status: 200,
    returns: { text: "new" },
  },
  {
    method: "DELETE",
    path: "/notes/deleted",
    matches: "deleted",
    status: 200,
    returns: { deleted: true, id: "deleted" },
  },
  { method: "DELETE", path: "/notes/deleted2", headers: { prefer: "return=minimal" }, status: 204 },
  {
    method: "PATCH",
    path: "/notes?filter[id][in]=many1&filter[id][in]=many2&filter[isDone]=false",
    body: { isDone: true },
    status: 200,
    returns: { updated: 2, ids: ["many1", "many2"] },
  },
  { method: "DELETE", path: "/notes?filter[id]=many3", status: 200, returns: { deleted: 1, ids: ["many3"] } },
  { method: "PUT", path: "/notes/linked/tags/t", status: 204 },
  { method: "DELETE", path: "/notes/unlinked/tags/t", status: 204 },
  {
    method: "PATCH",
    path: "/notes/moved/relationships/shelf",
    body: { data: { type: "shelfs", id: "s" } },
    headers: JSON_API,
    status: 204,
  },
  {
    method: "POST",
    path: "/notes/linked2/relationships/tags",
    body: { data: [{ type: "tags", id: "t" }] },
    headers: JSON_API,
    status: 204,
  },
  { method: "POST", path: "/notes/hit/hit", status: 200, returns: { hits: 1 } },
  { method: "POST", path: "/notes/place", status: 200, returns: expect.any(String) },
];

const NOTES = WRITES.flatMap(({ path }) => /^\/notes\/(\w+)(?:$|\/)/.exec(path)?.[1] ?? []);

async function send(base: string, { method, path, body, headers = {} }: Write, more: Record<string, string>) {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(base + path, {
    method,
    headers: { ...type, ...headers, ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

/** Sends all requests to a process that is killed between their commits and their responses. */
async function killDuring(url: string, headersOf: (write: Write) => Record<string, string>): Promise<void> {
  const child = fork(`${import.meta.dirname}/killed-writer.ts`, {
    execArgv: ["--conditions=@bifocal/source"],
    env: { ...process.env, DATABASE_URL: url, WRITES: String(WRITES.length) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [port] = (await once(child, "message")) as [number];
  const sent = WRITES.map((write) => send(`http://127.0.0.1:${port}`, write, headersOf(write)));
  const outcomes = await Promise.allSettled(sent);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
  expect(await ended).toEqual([null, "SIGKILL"]);
}

describe.each(servers)("a process killed between commit and response, on $name", ({ missing, create }) => {
  test.skipIf(missing !== undefined)("every retried write is replayed, and runs once", async () => {
    const { url, drop } = await create();
    const api = createNotesApi(url);
    const listener = nodeHttp(api);
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await api.ready;
      const rows = api.as(asSystem("a test prepares its rows"));
      await rows.shelf.create({ id: "s", name: "S" });
      await rows.shelf.create({ id: "replaced", name: "old" });
      await rows.tag.create({ id: "t" });
      for (const id of new Set([...NOTES, "many1", "many2", "many3"])) await rows.note.create({ id, text: id });
      await rows.note.link("unlinked", "tags", "t");
      const keys = new Map<Write, Record<string, string>>();
      for (const [index, write] of WRITES.entries()) {
        const match = write.matches === undefined ? undefined : await fetch(`${base}/notes/${write.matches}`);
        const tag = match?.headers.get("etag");
        keys.set(write, {
          "idempotency-key": `"write ${index}"`,
          ...(typeof tag === "string" ? { "if-match": tag } : {}),
        });
      }
      const headersOf = (write: Write): Record<string, string> => keys.get(write) ?? {};

      await killDuring(url, headersOf);
      // Changed in between, so that a second write by a retry would be visible.
      await rows.note.unlink("linked", "tags", "t");
      await rows.note.unlink("linked2", "tags", "t");
      await rows.note.link("unlinked", "tags", "t");
      await rows.note.update("moved", { shelfId: null });
      await rows.note.create({ id: "deleted", text: "again" });

      let replayed = 0;
      for (let tries = 0; tries < 2; tries++) {
        for (const write of WRITES) {
          const { status, headers, json } = await send(base, write, headersOf(write));
          const name = `${write.method} ${write.path}`;
          const response = { name, status, replayed: headers.get("idempotent-replayed"), json };
          expect(response).toMatchObject({ name, status: write.status, replayed: "true", json: write.returns });
          replayed++;
        }
      }
      expect(replayed).toBe(2 * WRITES.length);

      const orders = (await rows.order.list({ page: { size: 50 } })).items.map(({ token }) => token).sort();
      expect(orders).toEqual(["many", "many", "nested", "one", "placed", "within"]);
      expect((await rows.note.get("moved"))?.shelfId).toBeNull();
      expect((await rows.note.get("deleted"))?.text).toBe("again");
      for (const [id, linked] of [
        ["linked", []],
        ["linked2", []],
        ["unlinked", [{ id: "t" }]],
      ] as const) {
        const { json } = await send(base, { method: "GET", path: `/notes/${id}/tags`, status: 200 }, {});
        expect([id, json]).toEqual([id, linked]);
      }
    } finally {
      await listener.close(server);
      await drop();
    }
  });
});
