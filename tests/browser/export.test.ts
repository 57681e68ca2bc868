import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { KEY, startLibrary } from "./library.ts";

describeInChromium("Export CSV", () => {
  const library = useSite(() => startLibrary());

  test("downloads the whole list with the filter and the order of the page", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${library.url}/books?filter[genre]=novel&sort=-price&fields=title,price&page[size]=2&count=true`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
    expect([file.suggestedFilename(), lines.length, lines[0], lines[1]]).toEqual([
      "books.csv",
      16,
      "title,price",
      "Book 29,32.5",
    ]);
    await expect.poll(() => page.locator(".message").textContent()).toBe("Exported books.csv");
    expect(complaints).toEqual([]);
  });

  test("sends the credential of the tab", async () => {
    await fetch(`${library.url}/secrets`, {
      method: "POST",
      headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify({ id: 1, text: "hidden" }),
    });
    const { page } = await openPage({ credential: KEY });
    await page.goto(`${library.url}/secrets`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(await readFile(await file.path(), "utf8")).toBe("id,text\r\n1,hidden\r\n");
  });

  test("shows why an export failed", async () => {
    const { page } = await openPage();
    await page.goto(`${library.url}/books`);
    await page.route("**/books", (route) =>
      route.fulfill({ status: 429, json: { detail: "Rate limit exceeded. Retry after 6 seconds." } }),
    );
    await page.getByRole("link", { name: "Export CSV" }).click();
    await expect
      .poll(() => page.locator(".message").textContent())
      .toBe("The export failed. Rate limit exceeded. Retry after 6 seconds.");
  });

  test("is absent without script and without rows", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${library.url}/books`);
    expect(await page.getByRole("link", { name: "Export CSV" }).count()).toBe(0);
    await page.goto(`${library.url}/notes`);
    expect(await page.getByText("Export CSV").count()).toBe(0);
  });
});
