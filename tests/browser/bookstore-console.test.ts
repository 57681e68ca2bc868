import { startBookstore } from "@bifocal/example-bookstore/start";
import { sqlStore } from "@bifocal/sql";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

describeInChromium("the console of the bookstore", () => {
  const store = useSite(() =>
    startBookstore({
      adapter: "express",
      port: 0,
      host: "127.0.0.1",
      keys: KEYS,
      store: sqlStore({ url: "sqlite::memory:", autoCreate: true }),
    }),
  );

  const editor = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
  const textOf = (page: Page, label: string): Promise<string> => page.getByLabel(label, { exact: true }).innerText();

  test("is linked from each page, and builds a list along a relation", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/books`);
    await page.getByRole("link", { name: "Console" }).click();
    await expect.poll(() => editor(page, "GraphQL").inputValue()).not.toBe("");
    await page.getByLabel("Resource").selectOption("/books");
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("Field", { exact: true }).fill("author.name");
    await page.getByLabel("Operator").selectOption("icontains");
    await page.getByLabel("Value", { exact: true }).fill("austen");
    await page.getByLabel("Fields").fill("title,author.name");
    await page.getByLabel("Count").check();
    await expect.poll(() => editor(page, "GraphQL").inputValue()).toContain("totalCount");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => textOf(page, "The response of REST")).toContain("Emma");
    await expect.poll(() => textOf(page, "The response of GraphQL")).toContain("Emma");
    await expect.poll(() => textOf(page, "The SQL statements")).toMatch(/from "books".*rows? in \d+\.\d\d ms/s);
    expect(complaints).toEqual([]);
  });

  test("explains the rules for the caller that signed in on a page", async () => {
    const request = encodeURIComponent(JSON.stringify({ request: "GET /sales?page[size]=2" }));
    const rulesOf = async (credential?: string): Promise<string> => {
      const { page } = await openPage(credential === undefined ? {} : { credential });
      await page.goto(`${store.url}/console#source=${request}`);
      await expect.poll(() => page.getByLabel("The access rules that decide").isVisible()).toBe(true);
      return textOf(page, "The access rules that decide");
    };
    expect(await rulesOf()).toContain("read sale: no");
    expect(await rulesOf(KEYS.admin)).toContain("read sale: yes");
  });
});
