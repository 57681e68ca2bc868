import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, apiKeys, defineApi, defineResource, memoryStore } from "../../src/index.ts";
import { request, send } from "../request.ts";
import { createLibrary } from "./library.ts";

describe("initial", () => {
  test.each(["/books?initial=false", "/books/1?initial=false", "/books?initial=false&page[size]=1"])(
    "GET %s is accepted, because clients send defaults",
    async (url) => {
      const { status, body } = await send(createLibrary(), "GET", url);
      expect({ status, body }).toMatchObject({ status: 200 });
    },
  );

  test.each([
    ["/books?initial=true", "not_available"],
    ["/books/1?initial=true", "not_available"],
    ["/books?initial=perhaps", "malformed"],
    ["/authors/1/books?initial=false", "unknown_parameter"],
  ])("GET %s: %s", async (url, code) => {
    expect(await send(createLibrary(), "GET", url)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ["initial"], code }] },
    });
  });

  test("still applies to event streams", async () => {
    const headers = { accept: "text/event-stream" };
    const answer = await createLibrary().handle(request("GET", "/books?initial=true", { headers }));
    expect(answer).toMatchObject({ status: 200, headers: { "Content-Type": "text/event-stream" } });
  });
});

describe("a parameter with [] is a repeated parameter", () => {
  test.each([
    ["filter[id][in][]=1&filter[id][in][]=3", [1, 3]],
    ["filter[id][in][]=2", [2]],
    ["filter%5Bid%5D%5Bin%5D%5B%5D=1", [1]],
    ["filter[id][in]=1&filter[id][in][]=3", [1, 3]],
    ["filter[words][hasSome][]=x&filter[words][hasSome][]=match", [1, 3]],
  ])("%s", async (query, ids) => {
    const { body } = await send(createLibrary(), "GET", `/books?${query}&sort=id`);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  });

  test("fields[]=id&fields[]=title", async () => {
    const { body } = await send(createLibrary(), "GET", "/books/1?fields[]=id&fields[]=title");
    expect(body).toEqual({ id: 1, title: "Emma" });
  });

  test.each(["sort=-price&sort=title", "sort[]=-price&sort[]=title", "sort=-price,title"])(
    "%s sorts by both, in this order",
    async (query) => {
      const { body } = await send(createLibrary(), "GET", `/books?${query}`);
      expect((body as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 3]);
    },
  );

  test("is rejected where a key must follow", async () => {
    expect(await send(createLibrary(), "GET", "/books?filter[or][][id]=1")).toMatchObject({
      status: 400,
      body: { errors: [{ code: "malformed" }] },
    });
  });
});

describe("the same credential in several headers", () => {
  const note = defineResource("note", {
    fields: { id: z.int32() },
    access: { read: ({ principal }) => principal?.id === "ann", create: allow, update: allow, delete: allow },
  });
  const KEY = "key-of-ann-key-of-ann-key";
  const OTHER = "key-of-bob-key-of-bob-key";
  const api = defineApi({
    resources: [note],
    store: memoryStore({ data: { note: [{ id: 1 }] } }),
    auth: apiKeys({ [KEY]: { id: "ann" }, [OTHER]: { id: "bob" } }),
  });
  const ask = async (authorization: string, key: string) =>
    send(api, "GET", "/notes", { headers: { authorization, "x-api-key": key } });

  test("is accepted, because generated clients send every scheme that the document lists", async () => {
    expect(await ask(`Bearer ${KEY}`, KEY)).toMatchObject({ status: 200, body: [{ id: 1 }] });
    expect(await ask(`bearer ${KEY}`, KEY)).toMatchObject({ status: 200 });
  });

  test.each([
    [`Bearer ${KEY}`, OTHER],
    [`Bearer ${OTHER}`, KEY],
    [`Bearer ${KEY}`, `${KEY} `],
    [`Token ${KEY}`, KEY],
  ])("is not %s and %s: 400 with the names of both headers", async (authorization, key) => {
    expect(await ask(authorization, key)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("Authorization, X-API-Key") as string },
    });
  });

  test("is a 401 that names the header if it is invalid", async () => {
    expect(await ask("Bearer unknown", "unknown")).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining("'Authorization'") as string },
    });
  });
});
