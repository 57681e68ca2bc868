import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { apiKeys, belongsTo, defineApi, defineResource, hasRole, allow, silentLog } from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { CHROMIUM, launch, openPage } from "./chromium.ts";

const KEY = "k".repeat(24);
const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
const rules = { create: hasRole("editor"), update: hasRole("editor"), delete: hasRole("editor") };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  access: { read: hasRole("editor"), ...rules },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: { read: allow, ...rules },
  filterable: ["title"],
  aggregatable: ["price"],
});

async function serve(explain: boolean) {
  const store = sqlStore({ url: "sqlite::memory:", autoCreate: true });
  const api = defineApi({
    resources: [book, author],
    store,
    auth: apiKeys({ [KEY]: { id: "ann", roles: ["editor"] } }),
    log: silentLog,
    explain,
  });
  await api.ready;
  const rows = { author: [{ id: 1, name: "Jane Austen" }], book: [{ id: 1, title: "Emma", price: 14, authorId: 1 }] };
  await fillStore(store, api.model, rows);
  const server = createServer(nodeHttp(api, { prefix: "/api" }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await api.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, close };
}

describe.skipIf(isSkipped)("the SQL and the access rules on pages, in Chromium", { timeout: 60_000 }, () => {
  let browser: Browser;
  let open: Awaited<ReturnType<typeof serve>>;
  let closed: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    [browser, open, closed] = await Promise.all([launch(), serve(true), serve(false)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([browser.close(), open.close(), closed.close()]);
  });

  const textsOf = (page: Page): Promise<string[]> =>
    Promise.all(
      ["The SQL statements of the request", "The access rules that decide"].map((label) =>
        page.getByLabel(label, { exact: true }).innerText(),
      ),
    );

  test.each(["/", "/books?filter[title]=Emma&filter[title][ne]=", "/books/1", "/books?aggregate=avg.price"])(
    "are in the panel of %s",
    async (path) => {
      const { page, complaints } = await openPage(browser);
      await page.goto(open.url + path);
      await page.getByText("SQL and access rules").click();
      await expect.poll(async () => (await textsOf(page))[0]).toMatch(/from "books".*\d rows? in \d+\.\d\d ms/s);
      expect((await textsOf(page))[1]).toContain("read book: yes");
      expect(complaints).toEqual([]);
    },
  );

  test("are those of the caller, also on the page of a rejected request", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${open.url}/authors/1`);
    await page.getByText("SQL and access rules").click();
    await expect.poll(async () => (await textsOf(page))[0]).toContain("The operation failed: UNAUTHENTICATED");
    expect((await textsOf(page))[1]).toMatch(/read author: no.*hasRole\("editor"\)/s);
    const { page: own } = await openPage(browser, { credential: KEY });
    await own.goto(`${open.url}/authors/1`);
    await own.getByText("SQL and access rules").click();
    await expect.poll(async () => (await textsOf(own))[0]).toContain('from "authors"');
    expect((await textsOf(own))[1]).toContain("read author: yes");
  });

  test("are not on the page if `explain` is off", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${closed.url}/books`);
    expect(await page.getByText("SQL and access rules").count()).toBe(0);
  });
});
