import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { nodeHttp } from "@bifocal/node-http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { bundleScenario } from "../client/hosts/bundle.ts";
import { EXPECTED } from "../client/hosts/expected.ts";
import { describeInChromium, openPage } from "./in-chromium.ts";

describeInChromium("the client", () => {
  const { api } = createBookstore({ keys: KEYS });
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const script = await bundleScenario("Object.assign(globalThis, { runScenario });");
    const handler = nodeHttp(api, { prefix: "/api" });
    server = createServer((request, response) => {
      if (request.url?.startsWith("/api") === true) {
        handler(request, response);
        return;
      }
      const isScript = request.url === "/client.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
      response.end(
        isScript
          ? script
          : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/client.js"></script>',
      );
    });
    handler.attach(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 60_000);
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await api.close();
  });

  test.each(["rest", "graphql"] as const)("reads, writes, fails, aborts and watches over %s", async (lens) => {
    const { page } = await openPage();
    await page.goto(url);
    await page.waitForFunction(() => "runScenario" in globalThis);
    const results = await page.evaluate(
      (scenario) =>
        (globalThis as unknown as { runScenario: (given: object) => Promise<unknown> }).runScenario(scenario),
      { url: "/api", lens, key: KEYS.admin },
    );
    expect(results).toEqual(EXPECTED);
  });
});
