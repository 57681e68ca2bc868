import { apiKeys, belongsTo, defineApi, defineResource, hasRole, allow, silentLog } from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import { sqlStore } from "@bifocal/sql";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const KEY = "k".repeat(24);
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
  return serveApi(api, "/api");
}

describeInChromium("the SQL and the access rules on pages", () => {
  const open = useSite(() => serve(true));
  const closed = useSite(() => serve(false));

  const textsOf = (page: Page): Promise<string[]> =>
    Promise.all(
      ["The SQL statements of the request", "The access rules that decide"].map((label) =>
        page.getByLabel(label, { exact: true }).innerText(),
      ),
    );

  test.each(["/", "/books?filter[title]=Emma&filter[title][ne]=", "/books/1", "/books?aggregate=avg.price"])(
    "are in the panel of %s",
    async (path) => {
      const { page, complaints } = await openPage();
      await page.goto(open.url + path);
      await page.getByText("SQL and access rules").click();
      await expect.poll(async () => (await textsOf(page))[0]).toMatch(/from "books".*\d rows? in \d+\.\d\d ms/s);
      expect((await textsOf(page))[1]).toContain("read book: yes");
      expect(complaints).toEqual([]);
    },
  );

  test("are those of the caller, also on the page of a rejected request", async () => {
    const { page } = await openPage();
    await page.goto(`${open.url}/authors/1`);
    await page.getByText("SQL and access rules").click();
    await expect.poll(async () => (await textsOf(page))[0]).toContain("The operation failed: UNAUTHENTICATED");
    expect((await textsOf(page))[1]).toMatch(/read author: no.*hasRole\("editor"\)/s);
    const { page: own } = await openPage({ credential: KEY });
    await own.goto(`${open.url}/authors/1`);
    await own.getByText("SQL and access rules").click();
    await expect.poll(async () => (await textsOf(own))[0]).toContain('from "authors"');
    expect((await textsOf(own))[1]).toContain("read author: yes");
  });

  test("are not on the page if `explain` is off", async () => {
    const { page } = await openPage();
    await page.goto(`${closed.url}/books`);
    expect(await page.getByText("SQL and access rules").count()).toBe(0);
  });
});
