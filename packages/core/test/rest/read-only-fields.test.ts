import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  defineApi,
  defineResource,
  deny,
  generate,
  memoryStore,
  now,
  owner,
  signedIn,
  updatedNow,
} from "../../src/index.ts";
import { send } from "../request.ts";
import { AS_ANN } from "./library.ts";

const CREATED = "2026-01-31T12:00:00.000Z";

/** A page with a generated, an immutable and two hidden read-only fields, and the version of the row. */
function start() {
  const page = defineResource("page", {
    fields: {
      id: z.string(),
      text: z.string(),
      code: z.string(),
      createdAt: z.iso.datetime(),
      changedAt: z.iso.datetime(),
      origin: z.string(),
      fixed: z.string().default("f"),
      secret: z.string(),
      revision: z.int(),
    },
    generated: {
      createdAt: now(),
      changedAt: updatedNow(),
      origin: generate(() => "import"),
      secret: generate(() => "s"),
    },
    internal: ["secret"],
    immutable: ["code", "id"],
    version: "revision",
    access: {
      read: allow,
      create: allow,
      update: ({ principal }) => principal !== null,
      delete: allow,
      fields: { origin: { read: signedIn }, fixed: { write: deny } },
    },
  });
  const other = defineResource("other", {
    fields: { id: z.string(), origin: z.string(), text: z.string() },
    generated: { origin: generate(() => "import") },
    access: { read: allow, create: allow, update: allow, delete: allow, fields: { origin: { read: owner("text") } } },
  });
  const row = {
    id: "a",
    text: "1",
    code: "de",
    createdAt: CREATED,
    changedAt: CREATED,
    origin: "import",
    fixed: "f",
    secret: "s",
  };
  const rows = { page: [row], other: [{ id: "a", origin: "import", text: "bob" }] };
  return defineApi({
    resources: [page, other],
    store: memoryStore({ data: rows }),
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => (headers["authorization"] === "Bearer ann" ? { id: "ann", roles: [] } : null),
    },
  });
}

const headers = AS_ANN;
const read = async (api: ReturnType<typeof start>) =>
  (await send(api, "GET", "/pages/a", { headers })).body as Readonly<Record<string, unknown>>;

describe.each(["PUT", "PATCH"])("%s", (method) => {
  test("accepts the whole row as it was read, with other values of the writable fields", async () => {
    const api = start();
    const row = await read(api);
    expect(Object.keys(row)).toEqual(["id", "text", "code", "createdAt", "changedAt", "origin", "fixed", "revision"]);
    const { status, body } = await send(api, method, "/pages/a", { headers, body: { ...row, text: "2" } });
    expect({ status, body }).toMatchObject({ status: 200, body: { text: "2", code: "de", createdAt: CREATED } });
    expect(await read(api)).toMatchObject({ text: "2", revision: 2, createdAt: CREATED });
  });

  test.each([
    ["code", "fr", "immutable"],
    ["createdAt", "2026-01-31T12:00:01.000Z", "not_writable"],
    ["origin", "other", "not_writable"],
    ["revision", 7, "not_writable"],
    ["fixed", "other", "not_writable"],
    ["createdAt", null, "not_writable"],
  ])("rejects another value of %s: %j", async (name, value, code) => {
    const api = start();
    const body = { ...(await read(api)), text: "2", [name]: value };
    expect(await send(api, method, "/pages/a", { headers, body })).toMatchObject({
      status: 422,
      body: { errors: [{ path: [name], code }] },
    });
    expect(await read(api)).toMatchObject({ text: "1", revision: 1 });
  });

  test("accepts the same time in another form", async () => {
    const body = { text: "2", code: "de", createdAt: "2026-01-31T13:00:00+01:00" };
    expect((await send(start(), method, "/pages/a", { headers, body })).status).toBe(200);
  });

  test("reveals nothing about fields that the caller can't read", async () => {
    for (const origin of ["import", "other"]) {
      const body = { id: "a", text: "2", origin };
      const answer = await send(start(), method, "/others/a", { body });
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { errors: [{ path: ["origin"], code: "not_writable" }] },
      ]);
    }
    for (const secret of ["s", "t"]) {
      const { status, body } = await send(start(), method, "/pages/a", {
        headers,
        body: { text: "2", code: "de", secret },
      });
      expect([status, body]).toMatchObject([422, { errors: [{ path: ["secret"] }] }]);
    }
  });

  test("rejects a caller who can't update the row, whatever the values", async () => {
    const row = await read(start());
    const { origin: _, ...readable } = row;
    for (const body of [readable, { ...readable, code: "fr" }]) {
      expect((await send(start(), method, "/pages/a", { body })).status).toBe(401);
    }
  });

  test("reports a stale version before a stale read-only field", async () => {
    const api = start();
    const row = await read(api);
    await send(api, "PATCH", "/pages/a", { headers, body: { text: "2" } });
    const stale = { headers: { ...headers, "if-match": '"1"' }, body: { ...row, text: "3" } };
    expect((await send(api, method, "/pages/a", stale)).status).toBe(412);
  });

  test("replays a request whose read-only fields are no longer current", async () => {
    const api = start();
    const body = { ...(await read(api)), text: "2" };
    const keyed = { headers: { ...headers, "idempotency-key": '"once"' }, body };
    expect((await send(api, method, "/pages/a", keyed)).status).toBe(200);
    const again = await send(api, method, "/pages/a", keyed);
    expect([again.status, again.headers["Idempotent-Replayed"], again.body]).toMatchObject([
      200,
      "true",
      { text: "2" },
    ]);
  });
});

test("a create still rejects fields that the server sets", async () => {
  const body = { id: "b", text: "1", code: "de", createdAt: CREATED };
  expect(await send(start(), "POST", "/pages", { headers, body })).toMatchObject({
    status: 422,
    body: { errors: [{ path: ["createdAt"], code: "not_writable" }] },
  });
});

test("a JSON:API document can contain unchanged attributes that the server sets", async () => {
  const type = "application/vnd.api+json";
  const patch = (createdAt: string) =>
    send(start(), "PATCH", "/pages/a", {
      headers: { ...headers, "content-type": type, accept: type },
      body: { data: { type: "pages", id: "a", attributes: { text: "2", createdAt } } },
    });
  expect(await patch(CREATED)).toMatchObject({ status: 200, body: { data: { attributes: { text: "2" } } } });
  expect((await patch("2026-01-31T12:00:01.000Z")).status).toBe(422);
});
