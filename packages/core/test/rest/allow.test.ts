import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, functionStore } from "../../src/index.ts";
import { send } from "../request.ts";
import { createLibrary } from "./library.ts";

test("a 405 at the path of a collection action lists POST", async () => {
  const { status, headers } = await send(createLibrary(), "TRACE", "/books/count");
  expect([status, headers["Allow"]]).toEqual([405, "GET, HEAD, PUT, PATCH, DELETE, POST, OPTIONS"]);
  expect(headers).toMatchObject({ "Accept-Post": "application/json" });
});

test("a 405 at the path of a row doesn't list POST", async () => {
  const { status, headers } = await send(createLibrary(), "POST", "/books/1");
  expect([status, headers["Allow"]]).toEqual([405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]);
});

test("a method that the store lacks is a 405 with POST at the path of a collection action", async () => {
  const book = defineResource("book", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    actions: { count: { on: "collection", access: allow, output: z.int(), run: () => 1 } },
  });
  const api = defineApi({ resources: [book], store: functionStore({ book: { list: () => [] } }) });
  const { status, headers, body } = await send(api, "DELETE", "/books/count");
  expect([status, headers["Allow"]]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  expect(body).toMatchObject({ detail: expect.stringContaining("POST") as string });
});
