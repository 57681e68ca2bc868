import { startBookstore } from "@bifocal/example-bookstore/start";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

describeInChromium("filters, columns and relations", () => {
  const store = useSite(() => startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS }));

  const open = async (path: string): Promise<Page> => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(store.url + path);
    return page;
  };
  const chips = (page: Page): Promise<string[]> => page.locator(".chip").allTextContents();
  const heads = (page: Page): Promise<string[]> => page.locator("thead th").allTextContents();
  const request = (page: Page): Promise<string | null> =>
    page.getByLabel("The request in REST", { exact: true }).textContent();

  test("shows each condition as a chip that removes it", async () => {
    const page = await open(
      "/books?filter[genre][in]=novel&filter[genre][in]=poem&filter[author.name][icontains]=Le&sort=price",
    );
    expect(await chips(page)).toEqual(["Genre is one of novel, poem ×", "Author name contains Le ×"]);
    await page.getByRole("link", { name: "Remove the filter Genre is one of novel, poem" }).click();
    expect(await chips(page)).toEqual(["Author name contains Le ×"]);
    expect(page.url()).toBe(`${store.url}/books?filter[author.name][icontains]=Le&sort=price`);
    await page.getByRole("link", { name: "Remove the filter Author name contains Le" }).click();
    expect([await chips(page), page.url()]).toEqual([[], `${store.url}/books?sort=price`]);
  });

  test("keeps conditions that the form can't express", async () => {
    const page = await open("/books?filter[or][0][price][lt]=8&filter[or][1][title]=Emma");
    expect(await chips(page)).toEqual(["filter[or][0][price][lt] = 8 ×", "filter[or][1][title] = Emma ×"]);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByLabel("Title contains", { exact: true }).fill("poem");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect((await chips(page)).length).toBe(3);
  });

  test("offers each operator, and the fields of related rows", async () => {
    const page = await open("/books");
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByText("More operators", { exact: true }).click();
    await page.getByLabel("Price <", { exact: true }).fill("15");
    await page.getByRole("group", { name: "Genre is one of" }).getByLabel("essay").check();
    await page.getByRole("group", { name: "Genre is one of" }).getByLabel("novel").check();
    await page.locator(".filter summary", { hasText: /^Author$/ }).click();
    await page.getByLabel("Author name contains").fill("austen");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await chips(page)).toEqual([
      "Genre is one of novel, essay ×",
      "Price < 15 ×",
      "Author name contains austen ×",
    ]);
    expect(await page.locator("tbody tr").count()).toBe(3);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByText("More operators", { exact: true }).click();
    expect(await page.getByRole("group", { name: "Genre is one of" }).getByLabel("essay").isChecked()).toBe(true);
  });

  test("has the menus of columns and relations at the top right, beside the other actions", async () => {
    const page = await open("/books");
    const right = async (name: string): Promise<number> => {
      const box = await page.locator(".actions summary", { hasText: name }).boundingBox();
      return box === null ? 0 : box.x + box.width / 2;
    };
    const main = await page.locator("main").boundingBox();
    const middle = (main?.x ?? 0) + (main?.width ?? 0) / 2;
    expect(await right("Columns")).toBeGreaterThan(middle);
    expect(await right("Include")).toBeGreaterThan(await right("Columns"));
    await page.getByText("Include", { exact: true }).click();
    const list = await page.locator(".actions .menu[open] ul").boundingBox();
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual((main?.x ?? 0) + (main?.width ?? 0));
  });

  test("shows and hides columns by links that change the request", async () => {
    const page = await open("/books?sort=price");
    expect(await heads(page)).toContain("Genre");
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("link", { name: "Hide Genre" }).click();
    expect(await heads(page)).not.toContain("Genre");
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("link", { name: "Show Created at" }).click();
    expect((await heads(page)).at(-1)).toBe("Average stars");
    expect(await heads(page)).toContain("Created at");
    expect(await request(page)).toMatch(/^GET \/books\?.*fields=.*createdAt/);
  });

  test("includes relations by links that change the request", async () => {
    const page = await open("/books");
    await page.getByText("Include", { exact: true }).click();
    await page.getByRole("link", { name: "Show Tags" }).click();
    expect((await heads(page)).at(-1)).toBe("Tags");
    expect(await request(page)).toBe("GET /books?include=tags");
    await page.getByText("Include", { exact: true }).click();
    await page.getByRole("link", { name: "Hide Tags" }).click();
    expect(page.url()).toBe(`${store.url}/books`);
  });
});
