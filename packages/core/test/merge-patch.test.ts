import { expect, test } from "vitest";
import { z } from "zod";
import { allow, apiKeys, asSystem, defineApi, defineResource, memoryStore } from "../src/index.ts";
import { send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const thing = defineResource("thing", { fields: { id: z.int32(), value: z.json(), other: z.string() }, access });

/** RFC 7396, Appendix A, applied to a field. */
test.each<[string, string, string]>([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])("%s merged with %s", async (target, patch, expected) => {
  const row = { id: 1, value: JSON.parse(target) as unknown, other: "stays" };
  const api = defineApi({ resources: [thing], store: memoryStore({ data: { thing: [row] } }) });
  for (const type of ["application/merge-patch+json", "application/json"]) {
    await send(api, "PUT", "/things/1", { body: { value: row.value, other: "stays" } });
    const answer = await send(api, "PATCH", "/things/1", {
      text: `{"value":${patch}}`,
      headers: { "content-type": type },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ id: 1, value: JSON.parse(expected), other: "stays" });
  }
});

test("keeps the changes of several concurrent patches of one object", async () => {
  const api = defineApi({
    resources: [thing],
    store: memoryStore({ data: { thing: [{ id: 1, value: {}, other: "" }] } }),
  });
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) => send(api, "PATCH", "/things/1", { body: { value: { [name]: 1 } } })),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  const { value } = (await send(api, "GET", "/things/1")).body as { value: object };
  expect(Object.keys(value)).toHaveLength(done);
  // A patch that loses three times returns 412, and no patch overwrites another.
  expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
});

const JSON_PATCH = { "content-type": "application/json-patch+json" };

const USER = { id: 1, name: "n", settings: { a: "1", b: "2" }, byRow: { k: "v" }, secret: { a: 1 } };

function createUsers() {
  const settings = z.object({ a: z.string().optional(), b: z.string().optional() }).nullable();
  const byRow = z.record(z.string(), z.string());
  const user = defineResource("user", {
    fields: { id: z.int32(), name: z.string(), settings, byRow, secret: z.json().nullable() },
    internal: ["secret"],
    access: {
      ...access,
      fields: {
        settings: { read: ({ principal }) => principal !== null, write: allow },
        byRow: { read: () => ({ name: { eq: "open" } }), write: allow },
      },
    },
  });
  const api = defineApi({
    resources: [user],
    auth: apiKeys({ ann: { id: "ann" } }),
    store: memoryStore({ data: { user: [USER] } }),
  });
  const patch = (body: unknown, headers = {}) =>
    send(api, "PATCH", "/users/1", { body, headers: { ...(Array.isArray(body) ? JSON_PATCH : {}), ...headers } });
  return { patch, stored: () => api.as(asSystem("a test compares")).user.get(1) };
}

test.each<[string, unknown, number]>([
  ["a merge", { settings: { a: "X" } }, 401],
  ["a merge if the row's rule denies it", { byRow: { k: "X" } }, 401],
  ["a member", [{ op: "add", path: "/settings/a", value: "X" }], 401],
  ["a test", [{ op: "test", path: "/settings", value: USER.settings }], 401],
  ["a copy", [{ op: "copy", from: "/settings/b", path: "/name" }], 401],
  ["a secret, like an unknown field", [{ op: "add", path: "/secret/a", value: "X" }], 409],
])("rejects a partial change of a field that the caller cannot read: %s", async (_what, body, status) => {
  const { patch, stored } = createUsers();
  expect((await patch(body)).status).toBe(status);
  const { secret: _, ...row } = USER;
  expect(await stored()).toEqual(row);
});

test("accepts a complete new value for an unreadable field, and a partial change from a caller who can read it", async () => {
  const { patch, stored } = createUsers();
  expect((await patch({ settings: { a: "X" } }, { authorization: "Bearer ann" })).status).toBe(200);
  expect((await stored())?.settings).toEqual({ a: "X", b: "2" });
  expect(await patch({ byRow: { k: "X" } }, { authorization: "Bearer ann" })).toMatchObject({
    status: 403,
    body: { detail: "You are not allowed to update part of 'byRow', which you can't read." },
  });
  expect((await patch([{ op: "add", path: "/settings", value: { a: "Y" } }])).status).toBe(200);
  expect((await stored())?.settings).toEqual({ a: "Y" });
  expect((await patch({ settings: null })).status).toBe(200);
  expect((await stored())?.settings).toBeNull();
});

test("every kind of PATCH runs only the hooks of an update", async () => {
  const calls: string[] = [];
  const note = (name: string) => ({ before: () => void calls.push(name) });
  const hooks = { get: note("get"), list: note("list"), update: note("update") };
  const noted = defineResource("noted", { fields: { id: z.int32(), value: z.json() }, access, hooks });
  const api = defineApi({ resources: [noted], store: memoryStore({ data: { noted: [{ id: 1, value: {} }] } }) });
  const patches: readonly [unknown, object?][] = [
    [{ value: 1 }],
    [{ value: { a: 1 } }],
    [[{ op: "add", path: "/value/b", value: 1 }], JSON_PATCH],
  ];
  for (const [body, headers] of patches) {
    calls.length = 0;
    expect((await send(api, "PATCH", "/noteds/1", { body, headers: { ...headers } })).status).toBe(200);
    expect(calls).toEqual(["update"]);
  }
});
