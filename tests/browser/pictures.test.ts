import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { allow, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { createHtmlPages } from "@bifocal/core/formats";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { describeInChromium, openPage } from "./in-chromium.ts";

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const servePixel = (): Server =>
  createServer((_, response) =>
    response.writeHead(200, { "Content-Type": "image/png" }).end(Buffer.from(PIXEL, "base64")),
  );

describeInChromium("pictures on the pages", () => {
  const [allowed, other] = [servePixel(), servePixel()];
  let url: string;
  let close: () => Promise<void>;
  let origins: readonly string[];
  beforeAll(async () => {
    origins = await Promise.all([listen(allowed), listen(other)]);
    const photo = defineResource("photo", {
      fields: { id: z.int(), name: z.string(), own: z.string(), inside: z.url(), near: z.url(), far: z.url() },
      access: { read: allow, create: allow, update: allow, delete: allow },
    });
    const row = {
      id: 1,
      name: "Dusk",
      own: "/pictures/own.png",
      inside: `data:image/png;base64,${PIXEL}`,
      near: `${origins[0] ?? ""}/near.png`,
      far: `${origins[1] ?? ""}/far.png`,
    };
    const api = defineApi({
      resources: [photo],
      store: memoryStore({ data: { photo: [row] } }),
      formats: [createHtmlPages({ imageOrigins: [origins[0] ?? ""] })],
    });
    const handler = nodeHttp(api);
    const server = createServer((request, response) =>
      request.url?.startsWith("/pictures/") === true
        ? void response.writeHead(200, { "Content-Type": "image/png" }).end(Buffer.from(PIXEL, "base64"))
        : handler(request, response),
    );
    url = await listen(server);
    close = async () => {
      server.closeAllConnections();
      server.close();
      await api.close();
    };
  }, 60_000);
  afterAll(async () => {
    for (const server of [allowed, other]) server.close();
    await close();
  });

  test.each(["/photos", "/photos/1"])("shows those that the policy of %s allows, and links to others", async (path) => {
    const { page, complaints } = await openPage();
    await page.goto(url + path, { waitUntil: "networkidle" });
    const shown = await page
      .locator("main img")
      .evaluateAll((images) =>
        images.map((image) => [(image as HTMLImageElement).alt, (image as HTMLImageElement).naturalWidth]),
      );
    expect(shown).toEqual([
      ["own.png", 1],
      ["Image", 1],
      ["near.png", 1],
    ]);
    const far = page.getByRole("link", { name: `${origins[1] ?? ""}/far.png` });
    expect(await far.count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("are links without script, except those of the host itself", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await page.goto(`${url}/photos/1`);
    expect(await page.locator("main img").count()).toBe(2);
    expect(await page.getByRole("link", { name: "near.png" }).count()).toBe(1);
  });

  test("rejects origins that aren't origins", () => {
    expect(() => createHtmlPages({ imageOrigins: ["https://images.example/a; script-src *"] })).toThrow(
      "options.imageOrigins must contain origins such as 'https://images.example'",
    );
  });
});
