import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { startBookstore } from "@bifocal/example-bookstore/start";
import { allow, defineApi, defineResource } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { expect, test } from "vitest";
import { z } from "zod";
import { KEYS } from "../bookstore/stores.ts";
import { runAxe } from "./axe.ts";
import { describeInChromium, openPage, useSite } from "./in-chromium.ts";

describeInChromium("the first page of an API", () => {
  const store = useSite(() => startBookstore({ adapter: "node-http", port: 0, host: "127.0.0.1", keys: KEYS }));

  test("shows the resources, the developer pages, and a first request in each style", async () => {
    const { page, complaints } = await openPage();
    await page.goto(`${store.url}/`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Bookstore");
    for (const name of ["GraphiQL", "API reference", "OpenAPI"])
      expect(await page.getByRole("link", { name, exact: true }).count()).toBe(1);
    const panel = page.getByRole("complementary", { name: "A first request" });
    const rest = await panel.getByLabel("The request in REST").innerText();
    expect(rest.replaceAll(/\s+/g, " ")).toMatch(/^GET \/\w+ \?page\[size\]=3$/);
    const graphql = await panel.getByLabel("The request in GraphQL").innerText();
    const path = rest.replaceAll(/\s+/g, "").slice("GET".length);
    const [, name = ""] = /\/(\w+)/.exec(path) ?? [];
    const rows = (await (await fetch(store.url + path, { headers: { accept: "application/json" } })).json()) as unknown;
    const variables = panel.getByLabel("The variables");
    const sent = {
      query: graphql.replaceAll(/\u00a0/g, " "),
      variables: (await variables.count()) > 0 ? (JSON.parse(await variables.innerText()) as unknown) : {},
    };
    const response = await fetch(`${store.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    const { data } = (await response.json()) as { readonly data: Readonly<Record<string, { nodes: unknown[] }>> };
    expect(data[name]?.nodes).toHaveLength((rows as readonly unknown[]).length);
    expect(complaints).toEqual([]);
  });

  test("and the developer pages have the mark in the tab of the browser", async () => {
    const { page } = await openPage();
    const marks: (string | null)[] = [];
    for (const path of ["/", "/docs", "/graphql", "/console"]) {
      await page.goto(store.url + path);
      marks.push(await page.locator("link[rel=icon]").getAttribute("href"));
    }
    expect(marks[0]).toMatch(/^data:image\/svg\+xml,/);
    expect(new Set(marks).size).toBe(1);
  });

  test("leads from /graphql without GraphiQL to the resources", async () => {
    const access = { read: allow, create: allow, update: allow, delete: allow };
    const note = defineResource("note", { fields: { id: z.int32(), text: z.string() }, access });
    const api = defineApi({ resources: [note] });
    const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const { page, complaints } = await openPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      expect(await page.locator("footer").innerText()).toBe("API");
      await page.getByRole("link", { name: "GraphQL", exact: true }).click();
      await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("GraphQL");
      expect(await page.locator("header.rail").count()).toBe(1);
      const command = page.locator("[data-curl]");
      await expect.poll(() => command.textContent()).toContain(`'http://127.0.0.1:${port}/graphql'`);
      const { stdout } = await promisify(execFile)("sh", ["-c", `${(await command.textContent()) ?? ""} -s`]);
      expect(JSON.parse(stdout)).toEqual({ data: { notes: { nodes: [] } } });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect((await runAxe(page)).violations).toEqual([]);
      }
      await page.getByRole("link", { name: "All resources" }).click();
      await expect.poll(() => page.getByRole("link", { name: "Notes" }).count()).toBe(2);
      expect(complaints).toEqual([]);
    } finally {
      server.close();
      await api.close();
    }
  });
});
