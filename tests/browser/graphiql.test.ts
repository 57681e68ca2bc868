import { startBookstore } from "@bifocal/example-bookstore/start";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

describeInChromium("GraphiQL", () => {
  // The page shows one of the generated keys.
  const store = useSite(() => startBookstore({ adapter: "express", port: 0 }));

  async function open(path: string, at = store.url) {
    const { page, complaints } = await openPage({ viewport: { width: 1280, height: 720 } });
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(at) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
    });
    await page.goto(at + path);
    await page.locator(".graphiql-query-editor .view-line").first().waitFor({ timeout: 180_000 });
    return { page, complaints, foreign };
  }
  const link = (query: string): string => `/graphql#query=${encodeURIComponent(query)}`;
  const execute = (page: Page): Promise<void> => page.getByRole("button", { name: /^Execute/ }).click();
  // The editor renders spaces as no-break spaces, and only the visible lines.
  const shown = async (page: Page, editor: string): Promise<string> =>
    (await page.locator(`${editor} .view-lines`).innerText()).replace(/\u00a0/g, " ");

  test("runs a query without requests to other hosts", async () => {
    const { page, complaints, foreign } = await open("/graphql");
    expect(await page.title()).toBe("Bookstore: GraphiQL");
    await execute(page);
    await expect.poll(() => shown(page, ".graphiql-response")).toContain("The Left Hand of Darkness");
    expect([complaints, foreign]).toEqual([[], []]);
  });

  test("shows the documentation of the schema", async () => {
    const { page, complaints } = await open("/graphql");
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.locator(".graphiql-doc-explorer").getByRole("link", { name: "Mutation", exact: true }).click();
    await expect.poll(() => page.locator(".graphiql-doc-explorer").textContent()).toContain("createBook");
    expect(complaints).toEqual([]);
  });

  test("shows the document in REST while it is edited", async () => {
    const { page, complaints, foreign } = await open(link("{ books(first: 2) { nodes { title } } }"));
    await page.getByRole("button", { name: "Show REST" }).click();
    const panel = page.getByRole("region", { name: "REST" });
    await expect.poll(() => panel.getByLabel("Request").textContent()).toBe("GET /books?page[size]=2&fields=title");
    expect(await panel.getByLabel("TypeScript").textContent()).toBe(
      "await client.book.list({ page: { size: 2 }, select: { title: true } })",
    );
    expect(await panel.getByLabel("curl").textContent()).toBe(`curl -g '${store.url}/books?page[size]=2&fields=title'`);
    const heading = panel.getByRole("heading", { name: "REST", exact: true });
    expect(await heading.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(15, 118, 110)");
    const replace = async (word: string, other: string): Promise<void> => {
      await page.locator(".graphiql-query-editor .view-line span span", { hasText: word }).first().dblclick();
      await page.keyboard.insertText(other);
    };
    await replace("first", "last");
    await expect
      .poll(() => panel.textContent())
      .toContain("Not available: Only GraphQL can request the last rows without a cursor.");
    await replace("title", "titel");
    await expect.poll(() => panel.textContent()).toContain("Cannot query field");
    // The browser reports the 400 for the invalid document.
    expect([complaints.filter((text) => !text.includes("400")), foreign]).toEqual([[], []]);
  });

  test("sends the key of the demo, also after a reload", async () => {
    const { page, complaints } = await open(
      link('mutation { createTag(input: { slug: "one", name: "One" }) { slug } }'),
    );
    expect(await shown(page, ".graphiql-editor-tool .graphiql-editor:not(.hidden)")).toContain(
      store.current.keys["admin"],
    );
    await execute(page);
    await expect.poll(() => shown(page, ".graphiql-response")).toContain('"slug": "one"');
    await page.reload();
    await page.locator(".graphiql-query-editor .view-line").first().waitFor({ timeout: 180_000 });
    await expect
      .poll(() => shown(page, ".graphiql-editor-tool .graphiql-editor:not(.hidden)"))
      .toContain(store.current.keys["admin"]);
    expect(complaints).toEqual([]);
  });

  test("shows events of a subscription as they happen", async () => {
    const { page, complaints, foreign } = await open(link("subscription { tagCreated { slug } }"));
    await execute(page);
    let made = 0;
    const make = (): Promise<Response> =>
      fetch(`${store.url}/tags`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${store.current.keys["admin"]}` },
        body: JSON.stringify({ slug: `event-${++made}`, name: "Event" }),
      });
    // The page doesn't show when the subscription has started.
    await expect
      .poll(async () => {
        await make();
        return shown(page, ".graphiql-response");
      })
      .toMatch(/"slug": "event-\d+"/);
    await page.getByRole("button", { name: /^Stop/ }).click();
    expect([complaints, foreign]).toEqual([[], []]);
  });

  test("contains no key in any page", async () => {
    const other = await startBookstore({ adapter: "express", port: 0, keys: KEYS });
    try {
      const { page, complaints } = await open("/graphql", other.url);
      const html = await page.content();
      expect(Object.values(KEYS).filter((key) => html.includes(key))).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
