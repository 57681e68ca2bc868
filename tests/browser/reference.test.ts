import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { deny, defineApi, defineResource, memoryStore, signedIn, silentLog } from "@bifocal/core";
import { oauth } from "@bifocal/jwt";
import { nodeHttp } from "@bifocal/node-http";
import { scalar } from "@bifocal/scalar";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { CLIENTS, startAuthorizationServer } from "../security/auth/authorization-server.ts";
import { runAxe } from "./axe.ts";
import { CHROMIUM, launch, openPage } from "./chromium.ts";
import { KEY, startLibrary } from "./library.ts";

const isSkipped = CHROMIUM === undefined && process.env["CI"] === undefined;

describe.skipIf(isSkipped)("the reference pages, in Chromium", { timeout: 60_000 }, () => {
  let browser: Browser;
  let withSwagger: Awaited<ReturnType<typeof startLibrary>>;
  let withScalar: Awaited<ReturnType<typeof startLibrary>>;
  beforeAll(async () => {
    [browser, withSwagger, withScalar] = await Promise.all([
      launch(),
      startLibrary(),
      startLibrary({ docs: scalar({ color: "#7c2d12" }) }),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([withSwagger.close(), withScalar.close()]);
  });

  describe("Swagger UI", () => {
    test("works in both color schemes, without warnings and requests to other hosts", async () => {
      const { page, complaints } = await openPage(browser, { colorScheme: "dark" });
      const foreign = foreignRequests(page, withSwagger.url);
      await page.goto(`${withSwagger.url}/docs`);
      await page.locator("#operations-tag-authors").waitFor();
      expect(await page.getByRole("heading", { name: /Library/ }).count()).toBe(1);
      const background = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      expect(await background()).toBe("rgb(28, 32, 34)");
      await page.emulateMedia({ colorScheme: "light" });
      await expect.poll(background).toBe("rgba(0, 0, 0, 0)");
      // Resources are collapsed.
      expect(await page.locator(".opblock").count()).toBe(0);
      await page.locator("#operations-tag-authors").click();
      await expect.poll(() => page.getByText("Create an author").count()).toBe(1);
      await page.locator("#operations-authors-listAuthors button").first().click();
      await expect.poll(() => page.getByRole("button", { name: "Try it out" }).count()).toBe(1);
      // A lock marks the operations that need a credential.
      const lock = (id: string): Promise<number> =>
        page.locator(`#operations-authors-${id} .authorization__btn`).count();
      expect([await lock("listAuthors"), await lock("getAuthor"), await lock("createAuthor")]).toEqual([0, 0, 1]);
      // The page has no warning about the document.
      expect(await page.locator(".errors-wrapper, .opblock-body .warning, .info .warning").count()).toBe(0);
      expect(await page.getByText("jsonSchemaDialect").count()).toBe(0);
      expect(foreign).toEqual([]);
      // Swagger UI logs this for formats that it has no component for.
      expect(complaints.filter((text) => !text.startsWith("Could not find component: JsonSchema_"))).toEqual([]);
    });
  });

  describe("Scalar", () => {
    test("shows groups, samples and responses without warnings and requests to other hosts", async () => {
      const { page, complaints } = await openPage(browser, { colorScheme: "light" });
      const foreign = foreignRequests(page, withScalar.url);
      await page.goto(`${withScalar.url}/docs`);
      const group = page.getByRole("link", { name: "secrets", exact: true });
      await group.waitFor();
      // Groups are collapsed.
      const operation = page.getByRole("link", { name: /List secrets/ });
      expect(await operation.count()).toBe(0);
      await signIn(page, KEY);
      await group.click();
      await operation.click();
      // Samples have the own host, so that they work when they are copied.
      await expect.poll(() => page.locator("code", { hasText: withScalar.url }).count()).toBeGreaterThan(0);
      const sample = page.getByRole("button", { name: /curl/ }).first();
      await sample.click();
      expect(await page.getByRole("option").allTextContents()).toEqual(["curl", "GraphQL", "TypeScript"]);
      await page.getByRole("option", { name: "GraphQL" }).click();
      await expect.poll(() => page.getByText(/nodes \{/).count()).toBeGreaterThan(0);
      expect(await send(page)).toBe("200");
      expect([foreign, complaints]).toEqual([[], []]);
    });

    test("follows the color scheme of the system, without findings of axe", async () => {
      const { page, complaints } = await openPage(browser, { colorScheme: "dark" });
      await page.goto(`${withScalar.url}/docs`);
      await page.getByRole("link", { name: "labels", exact: true }).click();
      await page.getByRole("link", { name: /List labels/ }).click();
      await page
        .getByRole("button", { name: /Test Request/ })
        .first()
        .waitFor();
      const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await background()).toBe("rgb(20, 23, 26)");
      expect((await runAxe(page)).violations).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      await expect.poll(background).toBe("rgb(255, 255, 255)");
      const { violations, passed } = await runAxe(page);
      expect([violations, passed > 20, complaints]).toEqual([[], true, []]);
    });

    test("signs in at an authorization server", async () => {
      const resource = "https://api.example.com";
      const server = await startAuthorizationServer({ [resource]: { format: "jwt" } });
      const { issuer } = server;
      const api = defineApi({
        resources: [
          defineResource("caller", {
            fields: { id: z.int() },
            access: { read: signedIn, create: deny, update: deny, delete: deny },
          }),
        ],
        store: memoryStore({ data: { caller: [{ id: 1 }] } }),
        auth: oauth({ issuer, resource, algorithms: ["ES256"] }),
        docs: scalar({ oauth: { clientId: CLIENTS.docs.client_id, scopes: ["callers:read"], server: issuer } }),
        log: silentLog,
      });
      const host = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
      await once(host, "listening");
      const { page, complaints } = await openPage(browser);
      await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/docs`);
      await selectScheme(page, "oauth");
      await page.getByRole("button", { name: "Authorize" }).click();
      await expect.poll(() => page.getByText("Access Token").count()).toBeGreaterThan(0);
      await page.getByRole("link", { name: "callers", exact: true }).click();
      await page.getByRole("link", { name: /List callers/ }).click();
      expect([await send(page), complaints]).toEqual(["200", []]);
      await page.context().close();
      host.closeAllConnections();
      host.close();
      await Promise.all([api.close(), server.close()]);
    });
  });
});

/** The requests of a page to other hosts, as they happen. */
function foreignRequests(page: Page, own: string): readonly string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  return foreign;
}

async function selectScheme(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Select Auth Type" }).first().click();
  await page.getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
}

async function signIn(page: Page, credential: string): Promise<void> {
  await selectScheme(page, "bearer");
  await page.getByLabel("Bearer Token").fill(credential);
}

/** Sends the request of the operation, and returns the status of the response. */
async function send(page: Page): Promise<string> {
  await page
    .getByRole("button", { name: /Test Request/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Send/ }).first().click();
  const status = page
    .getByRole("dialog")
    .getByText(/^\s*\d{3} [A-Z]/)
    .first();
  return (await status.textContent())?.trim().slice(0, 3) ?? "";
}
