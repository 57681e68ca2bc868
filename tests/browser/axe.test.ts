import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAxe } from "./axe.ts";
import { CHROMIUM, launch, openPage } from "./chromium.ts";
import { KEY, PAGE_KINDS, startLibrary } from "./library.ts";

const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;
if (isSkipped) console.warn("axe doesn't run: there is no Chromium (Debian: apt-get install chromium).");

describe.skipIf(isSkipped)("axe, in Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  let library: Awaited<ReturnType<typeof startLibrary>>;
  beforeAll(async () => {
    [browser, library] = await Promise.all([launch(), startLibrary()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await library.close();
  });

  describe.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)("in %s at %i px", (colorScheme, width) => {
    test.each(PAGE_KINDS)("has no findings and no overflow: $name", async ({ path, isSignedIn = false, prepare }) => {
      const { page } = await openPage(browser, {
        colorScheme,
        viewport: { width, height: 800 },
        ...(isSignedIn ? { credential: KEY } : {}),
      });
      await page.goto(library.url + path);
      if (isSignedIn) await page.getByText("Signed in as ann").waitFor();
      await openAll(page);
      await prepare?.(page);
      const { violations, passed } = await runAxe(page);
      expect(violations).toEqual([]);
      expect(passed).toBeGreaterThan(15);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.context().close();
    });
  });

  // GraphiQL and Swagger UI are written by other projects.
  test.each(["light", "dark"] as const)("has no findings in %s: the REST panel of GraphiQL", async (colorScheme) => {
    const { page } = await openPage(browser, { colorScheme });
    const query = "{ books(first: 2) { nodes { title } } }";
    await page.goto(`${library.url}/graphql#query=${encodeURIComponent(query)}`);
    await page.locator(".graphiql-query-editor .view-line").first().waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Show REST" }).click();
    await page.getByRole("region", { name: "REST" }).getByLabel("TypeScript").waitFor();
    const { violations, passed } = await runAxe(page, ".translation");
    expect(violations).toEqual([]);
    expect(passed).toBeGreaterThan(5);
    await page.context().close();
  });
});

/** Opens all menus and forms, and the request panel. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const box of document.querySelectorAll<HTMLInputElement>("#lens-open")) box.checked = true;
  });
}
