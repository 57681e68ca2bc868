import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startBookstore } from "@bifocal/example-bookstore/start";
import { allow, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { createHtmlPages } from "@bifocal/core/formats";
import { nodeHttp } from "@bifocal/node-http";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { KEYS } from "../bookstore/stores.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

const EMMA = "/books/b0000000-0000-4000-8000-000000000001";
const MAX_BYTES = 120 * 1024;

describeInChromium("the panel with the request", () => {
  const store = useSite(() => startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS }));

  const shown = (page: Page, style: string): Promise<string> =>
    page.getByLabel(`The request in ${style}`, { exact: true }).innerText();

  test("shows the request in each style without script", async () => {
    const { page, complaints } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books?filter[genre]=novel&sort=-price&fields=title,author.name&filter[price][gte]=`);
    expect((await shown(page, "REST")).replaceAll(/\s+/g, " ")).toBe(
      "GET /books ?filter[genre]=novel &sort=-price &fields=title,author.name",
    );
    expect(await shown(page, "GraphQL")).toContain("books(filter: $filter, sort: $sort) {");
    expect(JSON.parse(await page.getByLabel("The variables").innerText())).toEqual({
      filter: { genre: { eq: "novel" } },
      sort: ["PRICE_DESC"],
    });
    expect(await page.locator(".lens .style:visible").count()).toBe(2);
    await page.getByText("TypeScript", { exact: true }).first().click();
    expect(await shown(page, "TypeScript")).toMatch(/^await client\.book\.list\(\{.*novel/s);
    await page.getByText("curl", { exact: true }).first().click();
    expect(await shown(page, "curl")).toContain("curl -g -H 'Accept: application/json' '/books?filter[genre]=novel");
    expect(await page.locator(".lens .style:visible").count()).toBe(1);
    expect(await page.locator(".measures > span").textContent()).toMatch(/^Cost \d+ of 5,000$/);
    expect(complaints).toEqual([]);
  });

  test("prints a document and variables that return the rows of the page", async () => {
    const { page } = await openPage();
    for (const path of [
      "/books?page[size]=3&count=true",
      EMMA,
      `${EMMA}/reviews`,
      "/books?aggregate=count&group=genre",
    ]) {
      await page.goto(store.url + path);
      const query = await shown(page, "GraphQL");
      const variables = page.getByLabel("The variables");
      const values = (await variables.count()) === 0 ? {} : (JSON.parse(await variables.innerText()) as object);
      const response = await fetch(`${store.url}/graphql`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ query, variables: values }),
      });
      const body = (await response.json()) as { readonly data: unknown; readonly errors?: unknown };
      expect([path, body.errors, body.data === null]).toEqual([path, undefined, false]);
    }
  });

  test("shows the status and the duration, and keeps the chosen tab", async () => {
    const { page, complaints } = await openPage({ credential: KEYS.admin });
    await page.goto(`${store.url}/books`);
    await expect
      .poll(() => page.locator(".measures > span").textContent())
      .toMatch(/^200 in \d+ ms · Cost \d+ of 5,000$/);
    await page.getByText("REST", { exact: true }).first().click();
    await page.goto(`${store.url}/authors`);
    await expect.poll(() => page.locator(".lens .style:visible").count()).toBe(1);
    expect(await shown(page, "REST")).toBe("GET /authors");
    expect(complaints).toEqual([]);
  });

  test("sends the request of the chosen tab, and shows duration, cost and response", async () => {
    const { page, complaints } = await openPage({ credential: KEYS.admin });
    await page.goto(`${store.url}/books?fields=title&filter[title]=Emma`);
    const run = page.getByRole("button", { name: "Run" });
    await run.click();
    const heads = page.locator(".ran");
    await expect.poll(() => heads.allTextContents()).toHaveLength(2);
    const cost = /Cost ([\d,]+) of/.exec((await page.locator(".measures").textContent()) ?? "")?.[1];
    const [rest = "", graphql = ""] = await heads.allTextContents();
    expect(rest).toMatch(/^REST: 200 in \d+ ms · cost [\d,]+$/);
    expect(graphql).toMatch(/^GraphQL: 200 in \d+ ms · cost [\d,]+$/);
    expect([rest, graphql].every((text) => text.endsWith(`cost ${cost ?? ""}`))).toBe(true);
    const responseOf = async (style: string): Promise<unknown> =>
      JSON.parse((await page.getByLabel(`Response of ${style}`).textContent()) ?? "");
    expect(await responseOf("REST")).toEqual([{ title: "Emma" }]);
    expect(await responseOf("GraphQL")).toEqual({ data: { books: { nodes: [{ title: "Emma" }] } } });
    await page.getByText("GraphQL", { exact: true }).first().click();
    await run.click();
    await expect.poll(() => heads.allTextContents()).toHaveLength(1);
    expect(await heads.textContent()).toContain("GraphQL: 200");
    expect(complaints).toEqual([]);
  });

  test("changes the tab of the request panel by arrow keys", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    await page.getByLabel("Both", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".lens .style:visible h2").allTextContents()).toEqual(["REST"]);
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".lens .style:visible h2").allTextContents()).toEqual(["GraphQL"]);
  });

  test("opens the document in GraphiQL", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${store.url}/books?fields=title`);
    const url = new URL(
      (await page.getByRole("link", { name: "Open in GraphiQL" }).getAttribute("href")) ?? "",
      store.url,
    );
    expect([url.pathname, new URLSearchParams(url.hash.slice(1)).get("query")]).toEqual([
      "/graphql",
      await shown(page, "GraphQL"),
    ]);
  });

  test("is a sheet that opens at the bottom of small screens, where rows are cards", async () => {
    const { page } = await openPage({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false });
    await page.goto(`${store.url}/books`);
    const panel = page.getByLabel("The request in REST", { exact: true });
    expect(await panel.isVisible()).toBe(false);
    await page.getByText("This request in REST and GraphQL").click();
    expect(await panel.isVisible()).toBe(true);
    const [first, second] = await Promise.all(
      [0, 1].map((at) => page.locator("tbody tr").first().locator("td").nth(at).boundingBox()),
    );
    expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0) - 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test.each(["/", "/books", EMMA, "/books?aggregate=count&group=genre", "/books?sort=nothing"])(
    "loads %s with its files in at most 120 KiB",
    async (path) => {
      const { page } = await openPage();
      const bodies: Promise<Buffer>[] = [];
      const others: string[] = [];
      page.on("response", (response) => {
        if (!response.url().startsWith(store.url) && !response.url().startsWith("data:")) others.push(response.url());
        bodies.push(response.body().catch(() => Buffer.of()));
      });
      await page.goto(store.url + path, { waitUntil: "networkidle" });
      const bytes = Buffer.concat(await Promise.all(bodies)).length;
      expect(bytes).toBeGreaterThan(5_000);
      expect(bytes).toBeLessThan(MAX_BYTES);
      expect(others).toEqual([]);
    },
  );

  test("can have another name, mark, color and style sheet", async () => {
    const note = defineResource("note", {
      fields: { id: z.int32(), text: z.string() },
      access: { read: allow, create: allow, update: allow, delete: allow },
    });
    const mark = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
    const api = defineApi({
      resources: [note],
      store: memoryStore({ data: { note: [{ id: 1, text: "First" }] } }),
      formats: [createHtmlPages({ name: "Notebook", mark, color: "#ffcc00", css: ":root{--line:rgb(1 2 3)}" })],
    });
    const server = createServer(nodeHttp(api));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { page, complaints } = await openPage({ colorScheme: "light" });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`);
    expect(await page.title()).toBe("Notes · Notebook");
    expect(await page.locator("img.mark").getAttribute("src")).toBe(mark);
    const style = await page.evaluate(() => {
      const root = getComputedStyle(document.documentElement);
      return ["--accent", "--on-accent", "--line"].map((name) => root.getPropertyValue(name));
    });
    // The yellow is darkened, so that links are readable on white.
    expect(style).toEqual(["rgb(128 102 0)", "rgb(255 255 255)", "rgb(1 2 3)"]);
    expect(complaints).toEqual([]);
    await api.close();
    server.close();
    expect(() => createHtmlPages({ color: "yellow" })).toThrow("options.color must be a color such as '#0b57d0'");
  });
});
