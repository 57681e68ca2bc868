import { startBookstore } from "@bifocal/example-bookstore/start";
import { allow, defineApi, defineResource, deny, memoryStore } from "@bifocal/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { KEYS, send } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { serveApi } from "./serve-api.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const JANE = "/authors/a0000000-0000-4000-8000-000000000001";

describeInChromium("the table of a list", () => {
  const store = useSite(() => startBookstore({ adapter: "express", port: 0, host: "127.0.0.1", keys: KEYS }));

  test("fits a window of 1,280 px, for each list of the bookstore", async () => {
    const { page } = await openPage({ ...DESKTOP, credential: KEYS.admin });
    await page.goto(`${store.url}/`);
    const links = page.getByRole("navigation", { name: "Resources" }).getByRole("link");
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(paths).toContain("/books");
    for (const path of [...paths, `${JANE}/books`, "/books?include=author,reviews,tags"]) {
      await page.goto(store.url + path);
      await page.getByText("Signed in as admin").waitFor();
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
  });

  test.each([KEYS.admin, KEYS.reader])("is a column of cards on a phone, without hidden width", async (credential) => {
    const { page } = await openPage({ viewport: { width: 360, height: 740 }, credential });
    for (const path of ["/books", "/users"]) {
      await page.goto(store.url + path);
      await page.locator("tbody td").first().waitFor();
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
  });

  test("writes groups like rows, with links to the rows of their keys", async () => {
    const { page } = await openPage({ ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${store.url}/books?aggregate=count,max.publishedAt&group=genre&filter[genre]=poem`);
    expect(await page.locator("tbody .tag").textContent()).toBe("poem");
    expect(await page.locator("tbody time").textContent()).toBe("Nov 12, 1890");
    await page.goto(`${store.url}/books?aggregate=count&group=authorId`);
    const link = page.locator(`tbody a[href="${JANE}"]`);
    expect(await link.textContent()).toBe("Jane Austen");
    expect(await link.locator("bdi").getAttribute("title")).toBe(JANE.slice(9));
    expect(await page.locator("thead th").first().textContent()).toBe("Author");
    await page.goto(`${store.url}/books?aggregate=avg.price&group=authorId`);
    const average = page.locator("tbody tr", { hasText: "Jane Austen" }).locator("td.number span");
    expect([await average.textContent(), await average.getAttribute("title")]).toEqual([
      "11.1333",
      "11.133333333333333",
    ]);
  });

  test("breaks lines of tags and between words rather than hide a column", async () => {
    const [text, texts] = [z.string(), z.array(z.string())];
    const country = defineResource("country", {
      fields: {
        name: text,
        code: text,
        officialName: text,
        region: z.enum(["Europe"]),
        subregion: text,
        capitals: texts,
        languages: texts,
      },
      key: "code",
      access: { read: allow, create: deny, update: deny, delete: deny },
    });
    const rows = [
      ["Andorra", "AD", "Principality of Andorra", "Southern Europe", ["Andorra la Vella"], ["Catalan"]],
      ["Bosnia and Herzegovina", "BA", "Bosnia and Herzegovina", "Southeast Europe", ["Sarajevo"], ["Croatian"]],
      ["Austria", "AT", "Republic of Austria", "Antarctic Islands", ["Bandar Seri"], ["Austro-Bavarian German"]],
    ].map(([name, code, officialName, subregion, capitals, languages]) => {
      return { name, code, officialName, region: "Europe", subregion, capitals, languages };
    });
    const site = await serveApi(defineApi({ resources: [country], store: memoryStore({ data: { country: rows } }) }));
    try {
      const { page } = await openPage({ ...DESKTOP, javaScriptEnabled: false });
      await page.goto(`${site.url}/countries`);
      expect(await page.locator("thead th").count()).toBe(7);
      expect(await overflowOf(page)).toBe(0);
      const lines = await page.getByText("Principality of Andorra").evaluate((element) => {
        const word = document.createRange();
        word.setStart(element.firstChild as Node, 0);
        word.setEnd(element.firstChild as Node, "Principality".length);
        return word.getClientRects().length;
      });
      expect(lines).toBe(1);
    } finally {
      await site.close();
    }
  });

  test("shows at most seven columns by default, and all those that the URL names", async () => {
    const { page } = await openPage({ ...DESKTOP, javaScriptEnabled: false });
    const heads = page.locator("thead th");
    await page.goto(`${store.url}/books`);
    expect(await heads.allTextContents()).toHaveLength(7);
    await page.goto(`${store.url}/books?include=reviews,tags`);
    expect((await heads.allTextContents()).slice(4)).toEqual(["Published at", "Reviews", "Tags"]);
    await page.getByRole("link", { name: "Show all 11 columns" }).click();
    expect(await heads.allTextContents()).toHaveLength(13);
  });

  test("leaves out columns that the caller can't read", async () => {
    const { page } = await openPage({ ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${store.url}/authors`);
    expect(await page.locator("thead th").allTextContents()).toEqual(["Name", "Bio", "Born", "Book count"]);
  });

  test("shows which values of a column are hidden from the caller", async () => {
    const { page } = await openPage({ ...DESKTOP, credential: KEYS.reader });
    await page.goto(`${store.url}/users`);
    await page.getByText("Signed in as reader").waitFor();
    const emails = await page.locator("tbody td:nth-child(3)").allTextContents();
    expect(emails.filter((text) => text !== "hidden")).toEqual(["reader@bookstore.example"]);
    expect(emails.length).toBeGreaterThan(3);
  });

  test("shortens long texts, and breaks long words", async () => {
    const body = { name: "n".repeat(200), email: `${"e".repeat(60)}@example.com`, bio: "A long life. ".repeat(60) };
    await send(store.url, "POST", "/authors", { as: "admin", body });
    const { page } = await openPage({ ...DESKTOP, credential: KEYS.admin });
    await page.goto(`${store.url}/authors`);
    await page.getByText("Signed in as admin").waitFor();
    const row = page.locator("tbody tr", { hasText: "nnnn" });
    expect(await overflowOf(page)).toBe(0);
    expect((await row.boundingBox())?.height).toBeLessThan(150);
    // Paper has no page of the row, so it shows the whole text.
    await page.emulateMedia({ media: "print" });
    expect((await row.boundingBox())?.height).toBeGreaterThan(150);
  });
});

/** Returns by how many pixels the table and the page are wider than their places. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const places = [document.documentElement, ...document.querySelectorAll(".scroll")];
    return Math.max(...places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
}
