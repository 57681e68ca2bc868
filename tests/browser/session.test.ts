import { expect, test } from "vitest";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";
import { KEY, startLibrary } from "./library.ts";

describeInChromium("the session of the pages", () => {
  const library = useSite(() => startLibrary());

  test.each([
    "/",
    "/books?sort=tittle",
    "/books/999",
    "/nothing/at/all",
    "/faults/1",
    "/-/errors/conflict",
    "/books?aggregate=count&group=genre",
  ])("names the caller of %s, if it is the first page after signing in", async (path) => {
    const { page } = await openPage({ credential: KEY });
    await page.goto(library.url + path);
    await expect.poll(() => page.locator("#session summary").textContent()).toBe("Signed in as ann");
  });

  test("asks for another credential if the server rejects this one", async () => {
    const { page } = await openPage();
    const signIn = async (key: string): Promise<void> => {
      await page.getByLabel("Header").selectOption("Authorization: Bearer");
      await page.getByLabel("Value").fill(key);
      await page.locator("#credential").getByRole("button", { name: "Sign in" }).click();
    };
    await page.goto(`${library.url}/secrets`);
    await signIn("w".repeat(24));
    await expect.poll(() => page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
    const counts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "HEAD") counts.push(request.url());
    });
    await page.goto(`${library.url}/books`);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("401 Unauthenticated");
    expect(await page.locator("#session summary").textContent()).toBe("Sign in");
    expect(counts.length).toBeLessThanOrEqual(1);
    await signIn(KEY);
    await expect.poll(() => page.locator("#session summary").textContent()).toBe("Signed in as ann");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Books");
  });

  test("keeps the page of the index out of shared caches", async () => {
    const index = await fetch(`${library.url}/`, { headers: { Accept: "text/html" } });
    expect(index.headers.get("cache-control")).toBe("private, no-cache");
    expect(index.headers.get("vary")).toContain("Authorization");
    const asJson = await fetch(`${library.url}/`, { headers: { Accept: "application/json" } });
    expect([asJson.headers.get("cache-control"), asJson.headers.get("vary")]).toEqual(["no-cache", "Accept"]);
  });
});
