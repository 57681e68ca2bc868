import { startBookstore } from "@bifocal/example-bookstore/start";
import { allow, defineApi, defineResource } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { expect, test } from "vitest";
import { z } from "zod";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage } from "./in-chromium.ts";

const PATHS = ["/nothing", "/nothing/at/all", "/books/1/2/3/4", "/books/nothing/here"];

describeInChromium("unknown paths", () => {
  test.each(["node-http", "express", "fastify"] as const)("have the same page on %s at each depth", async (adapter) => {
    const store = await startBookstore({ adapter, port: 0, host: "127.0.0.1", keys: KEYS });
    const { page } = await openPage({ javaScriptEnabled: false });
    for (const path of PATHS) {
      const response = await page.goto(store.url + path);
      expect([path, response?.status(), await page.getByRole("heading", { level: 1 }).textContent()]).toEqual([
        path,
        404,
        "404 Not found",
      ]);
      expect(await page.locator(".lead").textContent()).toContain("Nothing exists at this path.");
      const json = await fetch(store.url + path);
      expect([json.status, json.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
      expect(await json.json()).toMatchObject({ code: "NOT_FOUND", instance: path });
    }
    await page.getByRole("link", { name: "Books", exact: true }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Books");
    await page.close();
    await store.close();
  });
});

test("a host with fetch returns the same page", async () => {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const note = defineResource("note", { fields: { id: z.int32() }, access });
  const handle = fetchHandler(defineApi({ resources: [note] }), { prefix: "/api", address: () => "127.0.0.1" });
  const response = await handle(new Request("http://host/api/nothing", { headers: { accept: "text/html" } }));
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('href="/api/notes"')]);
});
