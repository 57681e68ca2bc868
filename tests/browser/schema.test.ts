import { startBookstore } from "@bifocal/example-bookstore/start";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { KEY, startLibrary } from "./library.ts";

describeInChromium("the pages of the schema", () => {
  const library = useSite(() => startLibrary());
  const store = useSite(() => startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS }));

  test("lead from the rail to a resource, its collection and its references, without script", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    const heading = page.getByRole("heading", { level: 1 });
    await page.goto(`${library.url}/books`);
    await page.getByRole("link", { name: "Schema and access", exact: true }).click();
    expect(await heading.textContent()).toBe("Schema and access");
    await page.locator("main").getByRole("link", { name: "Books", exact: true }).click();
    expect(await heading.textContent()).toBe("Books");
    const row = page.getByRole("row").filter({ hasText: "authorId" }).first();
    await row.getByRole("link", { name: "Author" }).click();
    expect(await heading.textContent()).toBe("Authors");
    await page.locator(".lenses").getByRole("link", { name: "/authors", exact: true }).click();
    expect(page.url()).toBe(`${library.url}/authors`);
    expect(complaints).toEqual([]);
  });

  test("run a first request in each style", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${library.url}/-/schema/books`);
    const panel = page.getByRole("complementary", { name: "A first request" });
    await panel.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => panel.locator(".runs pre").count()).toBe(2);
    expect(await panel.locator(".runs").innerText()).toMatch(/200[\s\S]*200/);
    expect(complaints).toEqual([]);
  });

  test("show the caller's own permissions after signing in", async () => {
    const { page } = await openPage({ credential: KEY });
    await page.goto(`${library.url}/-/schema/books`);
    const column = page.getByRole("columnheader", { name: "ann (you)" });
    await expect.poll(() => column.count()).toBe(1);
    const create = page.getByRole("row").filter({ hasText: "create book" });
    expect(await create.getByRole("cell").allInnerTexts()).toEqual([
      expect.stringContaining("create book"),
      "no",
      "yes",
      "yes",
    ]);
  });

  test("lead from a permission to its filter and its rules", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/-/schema/books`);
    const read = page.getByRole("row").filter({ hasText: "read book" }).first();
    await read.getByRole("link", { name: "where [1]" }).first().click();
    expect(await page.locator("li:target").innerText()).toBe("[1] publishedAt isNull false");
    await read.getByRole("link", { name: "book.access.read" }).click();
    expect(await page.locator("li:target").innerText()).toMatch(/^book\.access\.read = anyOf\(hasRole\(/);
    expect(complaints).toEqual([]);
  });

  test("link only to pages that exist", async () => {
    const { page } = await openPage({ javaScriptEnabled: false, extraHTTPHeaders: { "x-api-key": KEYS.admin } });
    const all: string[] = [];
    for (const path of ["/-/schema", "/-/schema/books", "/-/schema/sales"]) {
      await page.goto(store.url + path);
      const links = await page
        .locator("main a")
        .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
      expect(links.length).toBeGreaterThan(5);
      all.push(...links);
      for (const url of new Set(links.filter((link) => !link.startsWith(`${page.url()}#`)))) {
        const response = await fetch(url, { headers: { accept: "text/html", "x-api-key": KEYS.admin } });
        await response.body?.cancel();
        expect([url, response.status]).toEqual([url, 200]);
      }
      const targets = links.flatMap((link) => (link.startsWith(`${page.url()}#`) ? [link.split("#")[1] ?? ""] : []));
      for (const id of new Set(targets)) expect([id, await page.locator(`[id="${id}"]`).count()]).toEqual([id, 1]);
    }
    for (const path of ["/books", "/books?include=author", "/-/schema/tags", "/graphql"])
      expect(all).toContain(store.url + path);
  });
});
