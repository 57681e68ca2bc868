import { startBookstore } from "@bifocal/example-bookstore/start";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { CHROMIUM, launch, openPage } from "./chromium.ts";
import { lowContrast } from "./low-contrast.ts";

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const PATHS = [
  "/",
  "/books?filter[genre]=novel&include=author,tags&sort=-price",
  EMMA,
  `${EMMA}/reviews`,
  "/books?aggregate=count&group=genre",
  "/books?filter[title]=none",
  "/books?sort=nothing",
  "/nothing",
];
const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
if (isSkipped) console.warn("Accessibility is not tested: there is no Chromium (Debian: apt-get install chromium).");

describe.skipIf(isSkipped)("each kind of page, in Chromium", { timeout: 60_000 }, () => {
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

  test.each([
    ["light", 1280],
    ["light", 360],
    ["dark", 1280],
    ["dark", 360],
  ] as const)("has names, contrast and no overflow in %s at %i px", async (colorScheme, width) => {
    const { page } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 800 },
      credential: KEYS.admin,
    });
    for (const path of PATHS) {
      await page.goto(store.url + path);
      await openAll(page);
      const found = {
        contrast: await page.evaluate(lowContrast),
        unnamed: await page.evaluate(unnamedControls),
        ids: await page.evaluate(repeatedIds),
        width: await page.evaluate(() => document.documentElement.scrollWidth),
      };
      expect([path, found]).toEqual([path, { contrast: [], unnamed: [], ids: [], width }]);
    }
  });

  test("changes the tab of the request panel by arrow keys", async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    await page.getByLabel("Both", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".lens .style:visible h2").allTextContents()).toEqual(["REST"]);
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".lens .style:visible h2").allTextContents()).toEqual(["GraphQL"]);
  });
});

/** Opens all menus, forms and the request panel. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const box of document.querySelectorAll<HTMLInputElement>("#lens-open")) box.checked = true;
  });
}

/** Finds links, buttons and inputs without a name. Runs in the page. */
function unnamedControls(): string[] {
  const isNamed = (element: HTMLElement): boolean =>
    element.textContent.trim() !== "" ||
    (element.getAttribute("aria-label") ?? "") !== "" ||
    ((element as HTMLInputElement).labels?.length ?? 0) > 0;
  return [...document.querySelectorAll<HTMLElement>("a, button, input:not([type=hidden]), textarea, select")]
    .filter((element) =>
      element instanceof HTMLSelectElement ? (element.labels?.length ?? 0) === 0 : !isNamed(element),
    )
    .map((element) => element.outerHTML);
}

function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}
