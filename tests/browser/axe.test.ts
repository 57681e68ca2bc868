import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, openPageToKeep, useSite } from "./in-chromium.ts";
import { KEY, PAGE_KINDS, startLibrary } from "./library.ts";

const LOOKS = [
  ["light", 1280],
  ["dark", 360],
] as const;

describeInChromium("axe", () => {
  const library = useSite(() => startLibrary());

  const pages = new Map<boolean, Promise<Page>>();
  /** Opens one page for all anonymous kinds, and one for all others. */
  function pageFor(isSignedIn: boolean): Promise<Page> {
    const found =
      pages.get(isSignedIn) ?? openPageToKeep(isSignedIn ? { credential: KEY } : {}).then(({ page }) => page);
    pages.set(isSignedIn, found);
    return found;
  }

  test.each(PAGE_KINDS)(
    "has no findings and no overflow, in light and in dark at 360 px: $name",
    async ({ path, isSignedIn = false, prepare }) => {
      const page = await pageFor(isSignedIn);
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        if (colorScheme === "light") {
          await page.goto(library.url + path);
          if (isSignedIn) await page.getByText("Signed in as ann").waitFor();
          await openAll(page);
          await prepare?.(page);
        }
        const { violations, passed } = await runAxe(page);
        expect([colorScheme, ...violations]).toEqual([colorScheme]);
        expect(passed).toBeGreaterThan(10);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    },
  );

  // GraphiQL and Swagger UI are written by other projects.
  test.each(["light", "dark"] as const)("has no findings in %s: the REST panel of GraphiQL", async (colorScheme) => {
    const { page } = await openPage({ colorScheme });
    const query = "{ books(first: 2) { nodes { title } } }";
    await page.goto(`${library.url}/graphql#query=${encodeURIComponent(query)}`);
    await page.locator(".graphiql-query-editor .view-line").first().waitFor({ timeout: 180_000 });
    await page.getByRole("button", { name: "Show REST" }).click();
    await page.getByRole("region", { name: "REST" }).getByLabel("TypeScript").waitFor();
    const { violations, passed } = await runAxe(page, ".translation");
    expect(violations).toEqual([]);
    expect(passed).toBeGreaterThan(5);
  });
});

/** Opens all menus and forms, and the request panel. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const box of document.querySelectorAll<HTMLInputElement>("#lens-open")) box.checked = true;
  });
}
