import { startBookstore } from "@bifocal/example-bookstore/start";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS, send } from "../bookstore/stores.ts";
import { CHROMIUM, launch, openPage } from "./chromium.ts";

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
if (isSkipped) console.warn("The pages are not tested: there is no Chromium (Debian: apt-get install chromium).");

describe.skipIf(isSkipped)("the pages, in Chromium", { timeout: 60_000 }, () => {
  let browser: Browser;
  let store: Awaited<ReturnType<typeof startBookstore>>;
  beforeAll(async () => {
    [browser, store] = await Promise.all([
      launch(),
      startBookstore({ adapter: "express", port: 0, host: "127.0.0.1", keys: KEYS }),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await store.close();
  });

  test("renders every page without script", async () => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${store.url}/`);
    await page.getByRole("link", { name: "Books", exact: true }).first().click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Books");
    expect(await page.getByRole("row").count()).toBe(12);
    expect(await page.getByRole("button", { name: "Create" }).count()).toBe(0);
    await page.getByRole("link", { name: "Open" }).first().click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Emma");
    await page.getByRole("link", { name: "Reviews" }).last().click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Reviews");
    expect(complaints).toEqual([]);
  });

  test("filters with a form, sorts by column heads, and links pages", async () => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${store.url}/books?page[size]=5`);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByLabel("Genre").selectOption("novel");
    await page.getByRole("button", { name: "Filter" }).click();
    const genres = await page.locator("tbody tr td:nth-child(4)").allTextContents();
    expect(genres).toEqual(["novel", "novel", "novel", "novel", "novel"]);
    await page.getByRole("link", { name: "Price" }).click();
    await page.getByRole("link", { name: /^Price/ }).click();
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    const prices = async (): Promise<number[]> =>
      (await page.locator("tbody tr td:nth-child(5)").allTextContents()).map(Number);
    const first = await prices();
    expect(first).toEqual(first.toSorted((a, b) => b - a));
    await page.getByRole("link", { name: "Next" }).click();
    expect((await prices())[0]).toBeLessThanOrEqual(first.at(-1) as number);
    await page.getByRole("link", { name: "Previous" }).click();
    expect(await prices()).toEqual(first);
    expect(complaints).toEqual([]);
  });

  test("shows the forms that the caller can use, and validation errors", async () => {
    const reader = await openPage(browser);
    await reader.page.goto(`${store.url}/books`);
    expect(await reader.page.getByText("New book").count()).toBe(0);

    const { page, complaints } = await openPage(browser, { credential: KEYS.admin });
    await page.goto(`${store.url}/books`);
    await page.getByText("New book").click();
    const form = page.locator("#create");
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => form.locator("#create-title-error").textContent()).not.toBe("");
    expect(await form.getByLabel("Title").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("Title").fill("<b>Bold</b> & brave");
    await form.getByLabel("Author id").fill("a0000000-0000-4000-8000-000000000001");
    await form.getByLabel("Genre").selectOption("essay");
    await form.getByLabel("Price").fill("4.5");
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("<b>Bold</b> & brave");

    await page.getByText("Edit this book").click();
    await page.locator("#update").getByLabel("Title").fill("Bold");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Bold");

    await page.getByText("Publish", { exact: true }).first().click();
    await page.locator("#action-publish").getByLabel("At").fill("2026-02-03");
    await page.locator("#action-publish").getByRole("button").click();
    await expect.poll(() => page.locator("dl").textContent()).toContain("2026-02-03");

    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.url()).toBe(`${store.url}/books`);
    // The browser reports the rejected create, and the draft that only its editor sees.
    expect(complaints.filter((text) => !/ (422|404) /.test(text))).toEqual([]);
  });

  test("doesn't overwrite a concurrent change", async () => {
    const { page } = await openPage(browser, { credential: KEYS.admin });
    await page.goto(store.url + EMMA);
    await page.getByText("Edit this book").click();
    await send(store.url, "PATCH", EMMA, { as: "admin", body: { price: 12 } });
    await page.locator("#update").getByLabel("Price").fill("1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#update .errors").textContent()).toContain("was changed");
    expect((await send(store.url, "GET", EMMA)).body).toMatchObject({ price: 12 });
  });

  test("follows changes as they happen", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${store.url}/books`);
    await page.getByRole("button", { name: "Start" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Listening…");
    await send(store.url, "PATCH", EMMA, { as: "admin", body: { price: 13 } });
    await expect.poll(() => page.locator(".events li").first().textContent()).toContain('"price":13');
    await page.getByRole("button", { name: "Stop" }).click();
    expect(complaints).toEqual([]);
  });

  test("makes everything reachable by keyboard, and fits the width of a phone", async () => {
    const { page } = await openPage(browser, { viewport: { width: 360, height: 640 }, colorScheme: "dark" });
    for (const path of ["/", "/books", EMMA, "/books?sort=nothing"]) {
      await page.goto(store.url + path);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
    }
    await page.goto(`${store.url}/books`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => location.hash)).toBe("#main");
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
        .filter((control) => (control as HTMLInputElement).labels?.length === 0)
        .map((control) => control.outerHTML),
    );
    expect(unnamed).toEqual([]);
  });

  test("shows the reference page without requests to other hosts", async () => {
    const { page, complaints } = await openPage(browser);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${store.url}/docs`);
    await expect.poll(() => page.getByRole("heading", { name: /Bookstore/ }).count()).toBe(1);
    await expect.poll(() => page.locator("#operations-books-listBooks").count()).toBe(1);
    await page.locator("#operations-books-listBooks button").first().click();
    await expect.poll(() => page.getByRole("button", { name: "Try it out" }).count()).toBe(1);
    expect(asked.filter((url) => !url.startsWith(store.url) && !url.startsWith("data:"))).toEqual([]);
    // Swagger UI logs this for formats that it has no component for.
    expect(complaints.filter((text) => !text.startsWith("Could not find component: JsonSchema_"))).toEqual([]);
  });

  test.each(["light", "dark"] as const)("has enough text contrast in %s", async (colorScheme) => {
    const { page } = await openPage(browser, { colorScheme });
    for (const path of ["/books", EMMA, "/nothing/here", "/books?sort=nothing"]) {
      await page.goto(store.url + path);
      expect([path, await page.evaluate(lowContrast)]).toEqual([path, []]);
    }
  });
});

/** Finds text with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). Runs in the page. */
function lowContrast(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
    if (!hasText || !(element as HTMLElement).checkVisibility()) continue;
    const [light = 0, dark = 0] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))].sort(
      (a, b) => b - a,
    );
    if ((light + 0.05) / (dark + 0.05) < 4.5) found.push(element.textContent?.trim() ?? "");
  }
  return found;
}
