import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { KEY, startLibrary } from "./library.ts";

describeInChromium("the numbers beside the resources", () => {
  const library = useSite(() => startLibrary({ maxCount: 21 }));

  const numbers = (page: Page): Promise<string[]> => page.locator(".rail nav li:has(.total)").allInnerTexts();
  function recordCounts(page: Page): string[] {
    const counted: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "HEAD") counted.push(new URL(request.url()).pathname);
    });
    return counted;
  }

  test("are those of the rows that the caller can read, without a failing request", async () => {
    const { page, complaints } = await openPage();
    const counted = recordCounts(page);
    await page.goto(`${library.url}/`);
    await expect
      .poll(() => numbers(page))
      .toEqual(["Authors\n3", "Books\n20+", "Labels\n1", "Notes\n0", "Faults\n1", "Secrets"]);
    expect(await page.locator(".total").nth(1).getAttribute("title")).toBe("more than 20");
    expect(counted).toEqual(["/authors", "/books", "/labels", "/notes", "/faults"]);
    expect(complaints).toEqual([]);

    const { page: own } = await openPage({ credential: KEY });
    await own.goto(`${library.url}/books`);
    await expect.poll(async () => (await numbers(own)).at(-1)).toBe("Secrets\n0");
  });

  test("are counted once for several pages, and again after a write", async () => {
    const { page, complaints } = await openPage({ credential: KEY });
    const counted = recordCounts(page);
    await page.goto(`${library.url}/labels`);
    await expect.poll(() => counted.length).toBe(6);
    await expect.poll(async () => (await numbers(page)).at(-1)).toBe("Secrets\n0");
    await page.goto(`${library.url}/notes`);
    await expect.poll(async () => (await numbers(page)).at(3)).toBe("Notes\n0");
    expect(counted.length).toBe(6);
    await page.getByRole("link", { name: "New note" }).click();
    await page.locator("#create").getByLabel("Text").fill("First");
    await page.locator("#create").getByRole("button", { name: "Create" }).click();
    await expect.poll(async () => (await numbers(page)).at(3)).toBe("Notes\n1");
    expect(complaints).toEqual([]);
  });

  test("follow a credential that was entered on the first page", async () => {
    const { page } = await openPage();
    await page.goto(`${library.url}/`);
    await page.getByText("Sign in", { exact: true }).first().click();
    await page.getByLabel("Header").selectOption("Authorization: Bearer");
    await page.getByLabel("Value").fill(KEY);
    await page.locator("#credential").getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.locator(".session summary").textContent()).toBe("Signed in as ann");
    await expect.poll(async () => (await numbers(page)).at(-1)).toBe("Secrets\n0");
  });

  test("are absent without script", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books`);
    expect((await page.locator(".total").allTextContents()).join("")).toBe("");
  });
});
