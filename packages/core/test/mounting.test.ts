import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource } from "../src/index.ts";
import { request, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", { fields: { id: z.int32() }, access });

test("returns the same interface to every adapter", async () => {
  const api = defineApi({ resources: [book] });
  expect(api["~http"]).toBe(api["~http"]);
  expect(api.handle).toBe(api["~http"].handle);
  expect(api.routes).toBe(api["~http"].routes);
  await api.close();
});

test("mounts an API that is frozen", async () => {
  const api = Object.freeze(defineApi({ resources: [book] }));
  expect((await send(api, "GET", "/books")).status).toBe(200);
  expect(api["~http"]).toBe(api["~http"]);
  await api.close();
});

test("returns 503 if the API was closed before it was mounted", async () => {
  const api = defineApi({ resources: [book] });
  await api.local.book.create({ id: 1 });
  await api.close();
  expect(await api.handle(request("GET", "/books/1"))).toMatchObject({ status: 503 });
});
