import { startBookstore } from "@bifocal/example-bookstore/start";
import { expect, test } from "vitest";
import { KEYS, send } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";

describeInChromium("the pages", () => {
  const store = useSite(() => startBookstore({ adapter: "express", port: 0, host: "127.0.0.1", keys: KEYS }));

  test("renders every page without script", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/`);
    await page.getByRole("link", { name: "Books", exact: true }).first().click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Books");
    expect(await page.getByRole("row").count()).toBe(12);
    expect(await page.getByRole("button", { name: "Create" }).count()).toBe(0);
    await page.getByRole("link", { name: "Emma" }).first().click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Emma");
    await page.getByRole("link", { name: "Reviews" }).last().click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Reviews");
    expect(complaints).toEqual([]);
  });

  test("filters with a form, sorts by column heads, and links pages", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books?page[size]=5`);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.locator('select[name="filter[genre][eq]"]').selectOption("novel");
    await page.getByRole("button", { name: "Filter" }).click();
    const genres = await page.locator("tbody tr td:nth-child(3)").allTextContents();
    expect(genres).toEqual(["novel", "novel", "novel", "novel", "novel"]);
    await page.getByRole("link", { name: "Price" }).click();
    await page.getByRole("link", { name: /^Price/ }).click();
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    const prices = async (): Promise<number[]> =>
      (await page.locator("tbody tr td:nth-child(4)").allTextContents()).map(Number);
    const first = await prices();
    expect(first).toEqual(first.toSorted((a, b) => b - a));
    await page.getByRole("link", { name: "Next" }).click();
    expect((await prices())[0]).toBeLessThanOrEqual(first.at(-1) as number);
    await page.getByRole("link", { name: "Previous" }).click();
    expect(await prices()).toEqual(first);
    expect(complaints).toEqual([]);
  });

  test("reads the short form of a filter, and writes short URLs", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/books?filter[genre]=novel`);
    expect(await page.locator(".chip").textContent()).toContain("Genre is novel");
    await page.getByText("Filter", { exact: true }).first().click();
    const genre = page.locator('select[name="filter[genre][eq]"]');
    expect(await genre.inputValue()).toBe("novel");
    await genre.selectOption("essay");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => page.url()).toBe(`${store.url}/books?filter[genre][eq]=essay`);
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.getByRole("link", { name: "Price" }).click();
    await expect.poll(() => page.url()).toBe(`${store.url}/books?filter[genre][eq]=essay&sort=price`);
    expect(complaints).toEqual([]);
  });

  test("keeps the short form of a filter that has no input of its own", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books?filter[price]=14`);
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.getByText("Filter", { exact: true }).first().click();
    await page.getByLabel("Price to").fill("13");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await page.getByText("No books match.").count()).toBe(1);
  });

  test("shows the forms that the caller can use, and validation errors", async () => {
    const reader = await openPage();
    await reader.page.goto(`${store.url}/books`);
    expect(await reader.page.getByText("New book").count()).toBe(0);
    await reader.page.close();

    const { page, complaints } = await openPage({ credential: KEYS.admin });
    await page.goto(`${store.url}/books`);
    await page.getByRole("link", { name: "New book" }).click();
    const form = page.locator("#create");
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => form.locator("#create-title-error").textContent()).not.toBe("");
    expect(await form.getByLabel("Title").getAttribute("aria-invalid")).toBe("true");
    expect(await form.locator("#create-authorId-error, #create-genre-error").allTextContents()).toEqual([
      "'authorId' is required.",
      "'genre' is required.",
    ]);
    await form.getByLabel("Title").fill("<b>Bold</b> & brave");
    await form.getByRole("combobox", { name: "Author" }).fill("a0000000-0000-4000-8000-000000000001");
    await form.getByLabel("Genre").selectOption("essay");
    await form.getByLabel("Price").fill("4.5");
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("<b>Bold</b> & brave");
    await expect.poll(() => page.locator(".message").textContent()).toBe("Book created");

    await page.getByText("Edit this book").click();
    await page.locator("#update").getByLabel("Title").fill("Bold");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Bold");
    await expect.poll(() => page.locator(".message").textContent()).toBe("Saved");

    await page.getByText("Publish", { exact: true }).first().click();
    await page.locator("#action-publish").getByLabel("At").fill("2026-02-03");
    await page.locator("#action-publish").getByRole("button").click();
    await expect.poll(() => page.locator("dl").textContent()).toContain("Feb 3, 2026");

    const dialog = page.getByRole("dialog", { name: "Delete the book “Bold”?" });
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Bold");
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.url()).toBe(`${store.url}/books`);
    await expect.poll(() => page.locator(".message").textContent()).toBe("Book “Bold” deleted");
    // The browser reports the rejected create, and the draft that only its editor sees.
    expect(complaints.filter((text) => !/ (422|404) /.test(text))).toEqual([]);
  });

  test("opens the form of an action of the list by a link beside the title", async () => {
    const { page } = await openPage({ credential: KEYS.admin });
    await page.goto(`${store.url}/books`);
    await page.locator(".actions").getByRole("link", { name: "Discount" }).click();
    await expect.poll(() => page.locator("#action-discount").getByLabel("Percent").isVisible()).toBe(true);
  });

  test("shows who is signed in, on every page", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/books`);
    await page.getByText("Sign in", { exact: true }).first().click();
    await page.getByLabel("Header").selectOption("Authorization: Bearer");
    await page.getByLabel("Value", { exact: true }).fill(KEYS.admin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.locator("#session summary").textContent()).toBe("Signed in as admin");
    expect(await page.locator("[data-curl]").textContent()).toBe(
      `curl -g -H 'Accept: application/json' -H "Authorization: Bearer $TOKEN" '${store.url}/books'`,
    );
    await page.goto(`${store.url}/`);
    await expect.poll(() => page.locator("#session summary").textContent()).toBe("Signed in as admin");
    await page.locator("#session summary").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => page.locator("#session summary").textContent()).toBe("Sign in");
    expect(complaints).toEqual([]);
  });

  test("opens the form for signing in on a 401 page", async () => {
    const { page } = await openPage();
    await page.goto(`${store.url}/users`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("401");
    await expect.poll(() => page.getByLabel("Value", { exact: true }).isVisible()).toBe(true);
  });

  test("links to GraphiQL, the API reference and the console", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    const links = page.getByRole("navigation", { name: "Explore" }).getByRole("link");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/graphql",
      "/docs",
      "/-/schema",
      "/console",
      "/openapi.json",
    ]);
  });

  test("copies the request as a command", async () => {
    const { page } = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${store.url}/books?sort=price`);
    await page.getByText("curl", { exact: true }).first().click();
    await page.getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Copied" }).count()).toBe(1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl -g -H 'Accept: application/json' '${store.url}/books?sort=price'`,
    );
  });

  test("prints only the title and the table", async () => {
    const { page } = await openPage();
    await page.goto(`${store.url}/books`);
    await expect.poll(() => page.getByRole("button", { name: "Start" }).isVisible()).toBe(true);
    await page.emulateMedia({ media: "print", colorScheme: "light" });
    const shown = await page.evaluate(() =>
      ["nav", "form", "button", "details", "footer", "section", "td.more", "h1", "tbody td"].map((selector) =>
        [...document.querySelectorAll(selector)].some((element) => element.checkVisibility()),
      ),
    );
    expect(shown).toEqual([...Array.from({ length: 7 }, () => false), true, true]);
  });

  test("shows the label of a referenced row, with its key as the title", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    const link = page.getByRole("row", { name: "Emma" }).getByRole("link", { name: "Jane Austen" });
    expect(await link.locator("bdi").getAttribute("title")).toBe("a0000000-0000-4000-8000-000000000001");
    await link.click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Jane Austen");
  });

  test("shows names in descriptions as code", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    expect(await page.locator(".lead").innerHTML()).toContain("<code>publishedAt</code>");
  });

  test.each([
    ["sort=tittle", "title"],
    ["fields=tittle", "title"],
    ["filter[genra]=novel", "genre"],
  ])("suggests a name for the misspelled one in %s", async (query, name) => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books?${query}`);
    expect(await page.locator(".lead").textContent()).toContain(`Did you mean '${name}'? Available: `);
  });

  test("doesn't overwrite a concurrent change", async () => {
    const { page } = await openPage({ credential: KEYS.admin });
    await page.goto(store.url + EMMA);
    await page.getByText("Edit this book").click();
    await send(store.url, "PATCH", EMMA, { as: "admin", body: { price: 12 } });
    await page.locator("#update").getByLabel("Price").fill("1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.locator("#update .errors").textContent()).toContain("was changed");
    expect((await send(store.url, "GET", EMMA)).body).toMatchObject({ price: 12 });
  });

  test("follows changes as they happen", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/books`);
    await page.getByRole("button", { name: "Start" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Listening…");
    await send(store.url, "PATCH", EMMA, { as: "admin", body: { price: 13 } });
    await expect.poll(() => page.locator(".events li").first().textContent()).toContain("Price13");
    const change = page.locator(".events li").first();
    expect(await change.locator(".tag").textContent()).toBe("Updated");
    expect(await change.getByRole("link", { name: "Emma" }).getAttribute("href")).toBe(EMMA);
    expect(await change.textContent()).not.toMatch(/[{}"]/);
    await send(store.url, "PATCH", EMMA, { as: "admin", body: { price: 14 } });
    await expect.poll(() => page.locator(".events strong").allTextContents()).toContain("14");
    expect(await page.locator(".events strong").allTextContents()).not.toContain("Emma");
    await page.getByRole("button", { name: "Stop" }).click();
    expect(complaints).toEqual([]);
  });

  test("makes everything reachable by keyboard, and fits the width of a phone", async () => {
    const { page } = await openPage({ viewport: { width: 360, height: 640 }, colorScheme: "dark" });
    for (const path of ["/", "/books", EMMA, "/books?sort=nothing"]) {
      await page.goto(store.url + path);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
    }
    await page.goto(`${store.url}/books`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => location.hash)).toBe("#main");
  });
});
