import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  asSystem,
  defineApi,
  defineResource,
  deny,
  hasRole,
  memoryStore,
  owner,
} from "../src/index.ts";
import { ask, send } from "./request.ts";

function createTags() {
  const tag = defineResource("tag", {
    fields: { slug: z.string(), name: z.string().min(2), ownerId: z.string() },
    key: "slug",
    upsert: true,
    access: { read: owner("ownerId"), create: hasRole("editor"), update: owner("ownerId"), delete: deny },
  });
  return defineApi({
    resources: [tag],
    auth: apiKeys({ ann: { id: "ann" }, ed: { id: "ed", roles: ["editor"] } }),
    store: memoryStore({
      data: {
        tag: [
          { slug: "hid", name: "Hidden", ownerId: "bob" },
          { slug: "mine", name: "Mine", ownerId: "ann" },
        ],
      },
    }),
  });
}

const as = (who: string): Record<string, string> => (who === "" ? {} : { authorization: `Bearer ${who}` });

test.each<[who: string, input: object, precondition: string, status: number]>([
  ["", { name: "New", ownerId: "ann" }, "", 401],
  ["", { name: "N" }, "", 401],
  ["ann", { name: "New", ownerId: "ann" }, "", 403],
  ["ann", { nonsense: 1 }, "", 403],
  ["ann", { name: "New", ownerId: "ann" }, "ifMatch", 403],
  ["ann", { name: "New", ownerId: "ann" }, "ifNoneMatch", 403],
  ["ed", { name: "N", ownerId: "ed" }, "", 422],
  ["ed", { name: "New", ownerId: "ed" }, "ifMatch", 412],
])("as %j, rejects %j over a hidden row like over a missing one, %s: %i", async (who, input, precondition, status) => {
  const api = createTags();
  const put = async (slug: string): Promise<unknown> => {
    const header = precondition.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
    const headers = { ...as(who), ...(header === "" ? {} : { [header]: "*" }) };
    const answer = await send(api, "PUT", `/tags/${slug}`, { body: input, headers });
    expect(answer.status).toBe(status);
    return JSON.parse(JSON.stringify(answer).replaceAll(slug, "SLUG"));
  };
  expect(await put("hid")).toEqual(await put("nope"));
  const more = precondition === "" ? "" : `, ${precondition}: "*"`;
  const replace = (slug: string) =>
    ask(api, `mutation ($input: ReplaceTagInput!) { replaceTag(id: "${slug}", input: $input${more}) { slug } }`, {
      body: { input: { ...input, slug } },
      headers: as(who),
    });
  const told = async (slug: string): Promise<unknown> =>
    JSON.parse(JSON.stringify(await replace(slug)).replaceAll(slug, "SLUG"));
  expect(await told("hid")).toEqual(await told("nope"));
});

test("gives a caller who can create the same error for a hidden row as any create, and writes nothing", async () => {
  const api = createTags();
  const row = { slug: "hid", name: "New", ownerId: "ed" };
  const answers = [
    await send(api, "POST", "/tags", { body: row, headers: as("ed") }),
    await send(api, "PUT", "/tags/hid", { body: row, headers: as("ed") }),
    await send(api, "PUT", "/tags/hid", { body: row, headers: { ...as("ed"), "if-none-match": "*" } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(409);
    expect(body).toMatchObject({ detail: "This conflicts with an existing row." });
    expect(body).not.toHaveProperty("errors");
  }
  const query = `mutation { replaceTag(id: "hid", input: { slug: "hid", name: "New", ownerId: "ed" }) { slug } }`;
  expect((await ask(api, query, { headers: as("ed") })).errors).toMatchObject([
    { message: "This conflicts with an existing row.", extensions: { code: "CONFLICT" } },
  ]);
  expect(await api.as(asSystem("a test compares")).tag.get("hid")).toMatchObject({ name: "Hidden", ownerId: "bob" });
  expect((await send(api, "PUT", "/tags/new", { body: { ...row, slug: "new" }, headers: as("ed") })).status).toBe(201);
});

test("applies the update rule to the replacement of a visible row", async () => {
  const api = createTags();
  const put = (who: string, slug: string) =>
    send(api, "PUT", `/tags/${slug}`, { body: { name: "Other", ownerId: who }, headers: as(who) });
  expect(await put("ann", "mine")).toMatchObject({ status: 200, body: { name: "Other" } });
  expect((await put("ed", "eds")).status).toBe(201);
  expect(await put("ed", "eds")).toMatchObject({ status: 200 });
});

test("lets the second of two concurrent creates of a row replace it", async () => {
  const page = defineResource("page", {
    fields: { id: z.string(), text: z.string() },
    upsert: true,
    access: { read: allow, create: allow, update: allow, delete: deny },
    hooks: { create: { before: () => new Promise((done) => setTimeout(done, 10)) } },
  });
  const api = defineApi({ resources: [page] });
  const put = (text: string, headers = {}) => send(api, "PUT", "/pages/a", { body: { text }, headers });
  const both = await Promise.all([put("1"), put("2")]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]));
  expect((await put("3", { "if-none-match": "*" })).status).toBe(412);
});

test("accepts the same replacement again after it created the row, with unchanged immutable fields", async () => {
  const page = defineResource("page", {
    fields: {
      id: z.string(),
      text: z.string(),
      code: z.string(),
      since: z.date(),
      owner: z.string().default("nobody"),
    },
    immutable: ["code", "since", "owner"],
    upsert: true,
    access: { read: allow, create: allow, update: allow, delete: deny, fields: { owner: { read: deny } } },
  });
  const api = defineApi({ resources: [page] });
  const put = async (body: object) => {
    const answer = await send(api, "PUT", "/pages/a", { body });
    return [answer.status, (answer.body as { errors?: readonly unknown[] }).errors];
  };
  const whole = { text: "1", code: "de", since: "2026-01-31T12:00:00+01:00" };
  const immutable = (name: string) => [expect.objectContaining({ path: [name], code: "immutable" })];
  expect(await put({ ...whole, owner: "ann" })).toEqual([201, undefined]);
  expect(await put(whole)).toEqual([200, undefined]);
  expect(await put({ text: "2" })).toEqual([200, undefined]);
  expect(await put({ ...whole, code: "fr" })).toEqual([422, immutable("code")]);
  // A caller who cannot read the field learns nothing about its value.
  for (const owner of ["ann", "bob"]) expect(await put({ ...whole, owner })).toEqual([422, immutable("owner")]);
  const replace = (code: string) =>
    ask(api, `mutation ($input: ReplacePageInput!) { replacePage(id: "b", input: $input) { text code } }`, {
      body: { input: { id: "b", ...whole, owner: "ann", code } },
    });
  expect(await replace("it")).toEqual({ data: { replacePage: { text: "1", code: "it" } } });
});
