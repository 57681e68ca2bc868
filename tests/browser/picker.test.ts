import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { KEY, startLibrary } from "./library.ts";

describeInChromium("pickers of referenced rows", () => {
  const library = useSite(() => startLibrary());

  async function openForm(): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage({ credential: KEY });
    await opened.page.goto(`${library.url}/books`);
    await opened.page.getByRole("link", { name: "New book" }).click();
    await opened.page.locator("#create").getByLabel("Title").fill("Picked");
    await opened.page.locator("#create").getByLabel("Genre").selectOption("essay");
    return opened;
  }
  const options = (page: Page): Promise<string[]> =>
    page.getByRole("option").filter({ visible: true }).allTextContents();
  const create = (page: Page): Promise<void> => page.locator("#create").getByRole("button", { name: "Create" }).click();

  test("finds rows by their label with the keyboard, and sends the key", async () => {
    const { page, complaints } = await openForm();
    const box = page.locator("#create").getByRole("combobox", { name: "Author" });
    await box.pressSequentially("e");
    await expect.poll(() => options(page)).toEqual(["Ben", "Cleo"]);
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    expect((await runAxe(page, "#create")).violations).toEqual([]);
    await box.press("ArrowDown");
    await box.press("ArrowDown");
    const active = await box.getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active ?? ""}"]`).textContent()).toBe("Cleo");
    await box.press("Enter");
    expect([await box.inputValue(), await options(page)]).toEqual(["Cleo", []]);
    await create(page);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Picked");
    expect(await page.locator("dl").first().getByRole("link", { name: "Cleo" }).getAttribute("href")).toBe(
      "/authors/3",
    );
    expect(complaints).toEqual([]);
  });

  test("keeps the choice of an arrow key that was pressed right after typing", async () => {
    const { page } = await openForm();
    const box = page.locator("#create").getByRole("combobox", { name: "Author" });
    await box.pressSequentially("cl");
    await box.press("ArrowDown");
    await expect.poll(() => box.getAttribute("aria-activedescendant")).toMatch(/-0$/);
    // Longer than the pause after which typed text is searched.
    await page.waitForTimeout(500);
    expect(await box.getAttribute("aria-activedescendant")).toMatch(/-0$/);
    await box.press("Enter");
    expect(await box.inputValue()).toBe("Cleo");
  });

  test("chooses by a click, closes by Escape, and takes a label that was typed in full", async () => {
    const { page } = await openForm();
    const box = page.locator("#create").getByRole("combobox", { name: "Author" });
    await box.click();
    await expect.poll(() => options(page)).toEqual(["Ann", "Ben", "Cleo"]);
    await box.press("Escape");
    expect(await options(page)).toEqual([]);
    await box.press("ArrowUp");
    await expect.poll(() => box.getAttribute("aria-activedescendant")).toMatch(/-2$/);
    await page.getByRole("option", { name: "Ann" }).click();
    expect(await box.inputValue()).toBe("Ann");
    await box.fill("ben");
    await expect.poll(() => options(page)).toEqual(["Ben"]);
    await box.press("Tab");
    expect([await box.inputValue(), await page.locator("#create-authorId").inputValue()]).toEqual(["Ben", "2"]);
  });

  test("takes a key, and rejects other text beside the box", async () => {
    const { page } = await openForm();
    const box = page.locator("#create").getByRole("combobox", { name: "Author" });
    await box.fill("nobody");
    await expect.poll(() => page.locator("#create [role=status]").first().textContent()).toBe("No matches");
    await create(page);
    await expect.poll(() => page.locator("#create-authorId-error").textContent()).not.toBe("");
    expect(await box.getAttribute("aria-invalid")).toBe("true");
    await box.fill("1");
    await create(page);
    await expect.poll(() => page.locator("dl").first().getByRole("link", { name: "Ann" }).count()).toBe(1);
  });

  test("shows the label of the current row, and changes nothing unless another one is chosen", async () => {
    const { page } = await openPage({ credential: KEY });
    await page.goto(`${library.url}/books/5`);
    await page.getByText("Edit this book").click();
    const form = page.locator("#update");
    const box = form.getByRole("combobox", { name: "Author" });
    expect(await box.inputValue()).toBe("Ben");
    await form.getByLabel("Title").fill("Changed");
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.method() === "PATCH"),
      form.getByRole("button", { name: "Save" }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ title: "Changed" });
  });

  test("finds the row of a filter", async () => {
    const { page } = await openPage();
    await page.goto(`${library.url}/books`);
    await page.getByText("Filter", { exact: true }).first().click();
    const box = page.locator(".filter").getByRole("combobox", { name: "Author" }).first();
    await box.fill("cleo");
    await page.getByRole("option", { name: "Cleo" }).click();
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => page.url()).toBe(`${library.url}/books?filter[authorId][eq]=3`);
  });

  test("shows the label of a filter's row after it was applied, also if no row matches", async () => {
    const { page, complaints } = await openPage();
    for (const query of ["filter[authorId][eq]=3", "filter[authorId]=3&filter[title]=none"]) {
      await page.goto(`${library.url}/books?${query}`);
      await page.getByText("Filter", { exact: true }).first().click();
      const box = page.locator(".filter").getByRole("combobox", { name: "Author" }).first();
      await expect.poll(() => box.inputValue()).toBe("Cleo");
      await page.getByRole("button", { name: "Filter" }).click();
      await expect.poll(() => page.url()).toContain("filter[authorId][eq]=3");
    }
    expect(complaints).toEqual([]);
  });

  test("finds the row of an action's input", async () => {
    const { page } = await openPage({ credential: KEY });
    await page.goto(`${library.url}/books/7#action-lend`);
    const form = page.locator("#action-lend");
    await form.getByLabel("Until").fill("2026-12-24");
    const box = form.getByRole("combobox", { name: "Author" });
    await box.fill("ben");
    await page.getByRole("option", { name: "Ben" }).click();
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.url().endsWith("/books/7/lend")),
      form.getByRole("button", { name: "Lend" }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({ until: "2026-12-24", authorId: 2 });
  });

  test("is an input for the key without script", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books`);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByLabel("Author", { exact: true }).first().fill("3");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await page.locator(".chip").textContent()).toContain("Author is Cleo");
  });
});
