import { expect, test } from "vitest";
import { z } from "zod";
import { allow, asSystem, defineApi, defineResource, memoryStore, signedIn, silentLog } from "../src/index.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), title: z.string(), secret: z.string().nullable().default(null) };
const options = {
  access: { ...access, fields: { secret: { read: signedIn } } },
  filterable: ["title"],
  requirePrecondition: true,
  bulk: { create: 9, update: 9, delete: 9 },
} as const;
const book = defineResource("book", { fields, ...options });
const page = defineResource("page", { fields: { ...fields, revision: z.int() }, version: "revision", ...options });

async function start() {
  const api = defineApi({ resources: [book, page], store: memoryStore(), log: silentLog });
  const system = api.as(asSystem("a test"));
  for (const id of [1, 2, 3]) {
    await system.book.create({ id, title: "Emma" });
    await system.page.create({ id, title: "Emma" });
  }
  // Pages 1 to 3 have the revisions 1, 2 and 1.
  await system.page.update(2, { secret: "changed" });
  const tags = async (path: string) =>
    Promise.all([1, 2, 3].map(async (id) => String((await send(api, "GET", `/${path}/${id}`)).headers["ETag"])));
  const versions = async (path: string) => (await tags(path)).map((tag) => tag.replaceAll('"', "").split(".")[0] ?? "");
  return { api, system, tags, versions };
}
const url = (path: string) => `/${path}?filter[title]=Emma`;
const body = { title: "Persuasion" };

test.each(["books", "pages"])("a bulk write of %s needs the version of each row, in REST", async (path) => {
  const { api, tags } = await start();
  const patch = async (ifMatch?: string) =>
    (await send(api, "PATCH", url(path), { body, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } }))
      .status;
  const [one = "", two = "", three = ""] = await tags(path);
  expect(await patch()).toBe(428);
  expect(await patch(`${one}, ${two}`)).toBe(412);
  expect(await patch(`${one}, ${two}, "other"`)).toBe(412);
  // Entries stand for one row each, even if versions are equal.
  expect(await patch(`${two}, ${two}, ${one}`)).toBe(412);
  expect((await send(api, "GET", `/${path}?filter[title]=Emma&count=true`)).headers["Total-Count"]).toBe("3");
  expect(await patch(`${three}, ${two}, ${one}`)).toBe(200);
  const removal = async (ifMatch: string) =>
    (await send(api, "DELETE", `/${path}?filter[title]=Persuasion`, { headers: { "if-match": ifMatch } })).status;
  expect(await removal(`${one}, ${two}`)).toBe(412);
  expect(await removal((await tags(path)).join(", "))).toBe(200);
  const none = await send(api, "DELETE", url(path), { headers: { "if-none-match": '"x"' } });
  expect(none.status).toBe(412);
});

test("a star accepts any version, and system calls don't need a version", async () => {
  const { api, system } = await start();
  expect(await send(api, "DELETE", url("books"))).toMatchObject({
    status: 428,
    body: { code: "PRECONDITION_REQUIRED" },
  });
  const headers = { "if-match": "*" };
  expect(await send(api, "PATCH", url("books"), { body, headers })).toMatchObject({
    status: 200,
    body: { updated: 3 },
  });
  expect(await system.page.updateMany({ title: "Emma" }, body)).toEqual([1, 2, 3]);
});

test("GraphQL and local calls accept versions too", async () => {
  const { api, versions } = await start();
  const update = async (ifMatch: string) =>
    ask(api, `mutation { updateBooks(filter: { title: { eq: "Emma" } }, input: { title: "P" }${ifMatch}) { count } }`);
  expect(await update("")).toMatchObject({ errors: [{ extensions: { code: "PRECONDITION_REQUIRED" } }] });
  expect(await update(', ifMatch: "a, b, c"')).toMatchObject({
    errors: [{ extensions: { code: "PRECONDITION_FAILED" } }],
  });
  expect(await update(`, ifMatch: "${(await versions("books")).join(", ")}"`)).toEqual({
    data: { updateBooks: { count: 3 } },
  });
  const erase = `mutation { deletePages(filter: { title: { eq: "Emma" } }, ifMatch: "1") { count } }`;
  expect(await ask(api, erase)).toMatchObject({ errors: [{ extensions: { code: "PRECONDITION_FAILED" } }] });
  const { page: pages } = api.local;
  const emma = { title: "Emma" };
  await expect(pages.updateMany(emma, { title: "P" })).rejects.toMatchObject({ code: "PRECONDITION_REQUIRED" });
  await expect(pages.deleteMany(emma, { ifMatch: ["1", "2"] })).rejects.toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await pages.updateMany(emma, { title: "P" }, { ifMatch: ["1", "1", "2"] })).toEqual([1, 2, 3]);
  expect(await pages.deleteMany({ title: "P" }, { ifMatch: "*" })).toEqual([1, 2, 3]);
});

test("OpenAPI describes the header and both refusals", async () => {
  const { api } = await start();
  const document = JSON.parse(JSON.stringify(api.openapi())) as {
    paths: Record<string, Record<string, { parameters: { $ref?: string }[]; responses: object }>>;
  };
  for (const method of ["patch", "delete"]) {
    const { parameters, responses } = document.paths["/books"]?.[method] ?? { parameters: [], responses: {} };
    expect(parameters).toContainEqual({ $ref: "#/components/parameters/ifMatchMany" });
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["412", "428"]));
  }
});
