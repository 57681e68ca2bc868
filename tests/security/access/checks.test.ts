import { asSystem } from "@bifocal/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settle } from "./case.ts";
import { ADAPTERS, createDoors, type Doors, type Sent, type Served } from "./doors.ts";
import { createLibrary } from "./library.ts";
import type { Who } from "./orgs.ts";

let library: ReturnType<typeof createLibrary>;
let served: Served;
let doors: Doors;

beforeEach(async () => {
  library = createLibrary();
  served = await (ADAPTERS["node-http"] as (api: typeof library.api) => Promise<Served>)(library.api);
  doors = createDoors(served);
});
afterEach(() => served.close());

/** All rows. */
async function state(): Promise<string> {
  const all = library.api.as(asSystem("a test compares states"));
  const rows = [await all.rack.list({ select: { id: true, name: true, tags: true } }), await all.thing.list()];
  return JSON.stringify([rows, await all.card.list()]);
}

const thing = { id: "t9", label: "x", note: "n", ownerId: "alice", rackId: "r1" };

describe("a check that exists only once rejects", () => {
  test.each<[check: string, who: Who, method: string, path: string, status: number, sent?: Sent]>([
    ["a denied create", "alice", "POST", "/racks", 403, { body: { name: "Four" } }],
    ["a denied create with invalid input", "alice", "POST", "/racks", 403, { body: { name: "" } }],
    ["a create that is denied to everyone", "alice", "POST", "/vaults", 405, { body: { id: "v2", name: "V" } }],
    ["a delete that is denied to everyone", "alice", "DELETE", "/racks/r1", 405],
    ["a create by an anonymous caller", "anon", "POST", "/things", 401, { body: thing }],
    ["an anonymous update of a row with an owner", "anon", "PATCH", "/things/t1", 401, { body: { label: "y" } }],
    ["an update of another caller's row", "alice", "PATCH", "/things/t2", 403, { body: { label: "y" } }],
    ["a delete of another caller's row", "alice", "DELETE", "/things/t2", 403],
    ["an update of the caller's own hidden row", "alice", "PATCH", "/racks/r3", 404, { body: { name: "Four" } }],
    ["a delete of the caller's own hidden row", "alice", "DELETE", "/things/t3", 404],
    ["a read of a row of a resource whose rows the caller can't see", "alice", "GET", "/vaults/v1", 403],
    ["an anonymous read of a row of such a resource", "anon", "GET", "/vaults/v1", 401],
    ["a hidden field in `or`", "alice", "GET", "/racks?filter[or][0][secret]=sesame&filter[or][1][name]=One", 403],
    ["a hidden field in `and`", "alice", "GET", "/racks?filter[and][0][secret]=sesame&filter[and][1][name]=One", 403],
    ["a hidden relation in a filter", "alice", "GET", "/racks?filter[counted][some][label]=x", 403],
    ["a filter by a relation to rows that no caller sees", "alice", "GET", "/racks?filter[vault][name]=Vault", 403],
    ["a sort by a hidden field along a relation", "alice", "GET", "/things?sort=rack.secret", 403],
    ["a sort by only a hidden field along a relation", "alice", "GET", "/presses?sort=line.secret", 403],
    ["a sort along a relation to rows that may be hidden", "alice", "GET", "/things?sort=box.name", 403],
    ["a hidden field selected by name", "alice", "GET", "/racks?fields=id,secret", 403],
    ["a hidden relation selected by name", "alice", "GET", "/racks?include=counted", 403],
    ["a relation to rows that no caller sees, selected by name", "alice", "GET", "/racks?include=vault", 403],
    ["a filter by a field that isn't filterable", "alice", "GET", "/things?filter[ownerId]=bob", 400],
    ["a sort by a field that isn't sortable", "alice", "GET", "/things?sort=ownerId", 400],
    [
      "a reference to a row that no caller sees",
      "alice",
      "POST",
      "/things",
      422,
      { body: { ...thing, vaultId: "v1" } },
    ],
    ["a link of another caller's row", "alice", "PUT", "/racks/r2/tags/new", 403],
    ["a link of the caller's own hidden row", "alice", "PUT", "/racks/r3/tags/new", 404],
    [
      "a nested row that names another parent",
      "alice",
      "POST",
      "/racks/r1/things",
      422,
      { body: { ...thing, rackId: "r2" } },
    ],
    ["a row within a hidden one", "alice", "POST", "/racks/r3/things", 404, { body: thing }],
    ["an upsert that would create a row", "alice", "PUT", "/cards/c1", 403, { body: { id: "c1", text: "t" } }],
    [
      "a bulk update that includes another caller's row",
      "alice",
      "PATCH",
      "/things?filter[label]=x",
      403,
      { body: { label: "y" } },
    ],
    ["a bulk update by a hidden field", "alice", "DELETE", "/things?filter[note]=note%20of%20t1", 403],
    ["an action on another caller's row", "alice", "POST", "/things/t2/take", 403],
    ["an action on a collection with a rule about rows", "alice", "POST", "/things/clear", 403],
  ])("%s", async (_check, who, method, path, status, sent) => {
    const before = await state();
    expect(await doors.rest(who, method, path, sent)).toMatchObject({ status });
    expect(await state()).toBe(before);
    // Not even hooks have run.
    expect(library.changes).toEqual([]);
  });

  test.each([
    ["filter", '(filter: { note: { startsWith: "note" } })'],
    ["sort", "(sort: [NOTE_ASC])"],
  ])(
    "allows a %s of a relation by a hidden field only to callers who can read it, in any order of callers",
    async (_what, argument) => {
      const document = `{ racks { nodes { id things${argument} { nodes { id } } } } }`;
      for (const [who, isRefused] of [
        ["alice", true],
        ["adminA", false],
        // A document is cached when it comes for the second time.
        ["adminA", false],
        ["alice", true],
      ] as const) {
        const { text } = await doors.graphql(who, document);
        expect(text.includes('"FORBIDDEN"')).toBe(isRefused);
        expect(text.includes('"t2"')).toBe(!isRefused);
      }
    },
  );
});

test.each(["sort: [SECRET_ASC]", 'filter: { secret: { eq: "s" } }'])(
  "decides again for each caller whether a field can be used: %s",
  async (argument) => {
    const document = `{ lines { nodes { id presses(${argument}) { nodes { id } } } } }`;
    for (const [who, isRefused] of [
      ["adminA", false],
      // A document is cached when it comes for the second time.
      ["adminA", false],
      ["alice", true],
    ] as const) {
      const { text } = await doors.graphql(who, document);
      expect([text.includes('"FORBIDDEN"'), text.includes('"p1"')]).toEqual([isRefused, !isRefused]);
    }
  },
);

test.each(["/racks/r1", "/racks", "/racks/r1?include=things", "/things/t1"])(
  "doesn't reuse one caller's result for another caller: %s",
  async (path) => {
    const seen = [];
    for (const who of ["adminA", "alice", "adminA"] as const) seen.push((await doors.rest(who, "GET", path)).text);
    expect(seen.map((text) => /sesame|note of/.test(text))).toEqual([true, false, true]);
  },
);

test("doesn't return a written row to a caller who cannot read it", async () => {
  const hidden = { ...thing, hidden: true };
  const replies = [
    await doors.rest("alice", "POST", "/things", { body: hidden }),
    await doors.rest("alice", "POST", "/things", { body: [{ ...hidden, id: "t8" }] }),
    await doors.rest("alice", "POST", "/letters", { body: { id: "l1", text: "n" } }),
    await doors.rest("alice", "POST", "/letters", { body: [{ id: "l2", text: "n" }] }),
  ];
  expect(replies.map(({ status, text }) => [status, text])).toEqual([
    [201, ""],
    [201, "[null]"],
    [201, ""],
    [201, "[null]"],
  ]);
});

test("sends each subscriber of one event its own view of a relation", async () => {
  for (const subscribe of Object.values(doors.subscriptions)) {
    const document = "subscription { cardUpdated { id rack { id secret } } }";
    const streams = (["adminA", "alice", "adminA"] as const).map((who) => subscribe(who, document));
    await settle();
    await library.api.as({ id: "alice" }).card.update("c0", { text: String(Math.random()) });
    await settle();
    expect(streams.map(({ got }) => JSON.stringify(got).includes("sesame"))).toEqual([true, false, true]);
    expect(streams.map(({ got }) => got.length)).toEqual([1, 1, 1]);
    await Promise.all(streams.map(async (stream) => stream.end()));
  }
});

test("accepts only one spelling of a cursor", async () => {
  const { headers } = await doors.rest("alice", "GET", "/things?page[size]=1");
  const [, cursor = ""] = /page(?:\[|%5B)after(?:\]|%5D)=([^&>]+)/.exec(headers["link"] ?? "") ?? [];
  const status = async (text: string): Promise<number> =>
    (await doors.rest("alice", "GET", `/things?page[size]=1&page[after]=${text}`)).status;
  expect([await status(cursor), await status(`${cursor}.`), await status(`${cursor}=`)]).toEqual([200, 400, 400]);
});

test("hides permissions of hidden rows, and disabled bulk writes, from custom front ends that call `api.run`", async () => {
  const { api } = library;
  const caller = { principal: { id: "alice" }, signal: undefined, requestId: () => "1" };
  expect(await api.run({ kind: "permissions", resource: "thing", key: "t3" }, caller)).toMatchObject({
    kind: "failure",
    error: { code: "NOT_FOUND" },
  });
  const filter = { kind: "compare", field: "name", operator: "eq", value: "One" } as const;
  expect(await api.run({ kind: "deleteMany", resource: "rack", filter }, caller)).toMatchObject({
    kind: "failure",
    error: { code: "METHOD_NOT_ALLOWED" },
  });
});
