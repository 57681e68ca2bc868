import type { AnyApi } from "@bifocal/core";
import { auditRest, createAuditApi, REST_AUDITS } from "@bifocal/testing";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";

const SERVERS: Readonly<Record<string, (api: AnyApi) => Promise<Server>>> = {
  "node-http": (api) => Promise.resolve(createServer(nodeHttp(api, { prefix: "/api" }))),
  express: (api) => Promise.resolve(createServer(createExpress().use("/api", expressRouter(api)))),
  "express, behind its own JSON parser": (api) =>
    Promise.resolve(
      createServer(
        createExpress()
          .use(createExpress.json({ limit: "1mb" }))
          .use("/api", expressRouter(api)),
      ),
    ),
  fastify: async (api) => {
    const app = createFastify();
    await app.register(bifocal, { api, prefix: "/api" });
    await app.ready();
    return app.server;
  },
};

test.each(Object.entries(SERVERS))("every audit passes on %s", async (name, start) => {
  const api = createAuditApi();
  const server = await start(api);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    const results = await auditRest({ url });
    // The host's parser rejects the body before Bifocal reads it.
    const others = name.includes("parser") ? ["A004"] : [];
    expect(results.filter(({ id, reason }) => reason !== undefined && !others.includes(id))).toEqual([]);
    expect(results).toHaveLength(REST_AUDITS.length);
  } finally {
    server.closeAllConnections();
    server.close();
    await api.close();
  }
});

test("every audit has a unique id and names its source", () => {
  expect(new Set(REST_AUDITS.map(({ id }) => id)).size).toBe(REST_AUDITS.length);
  for (const { id, source } of REST_AUDITS) {
    expect(id).toMatch(/^[A-Z]\d{3}$/);
    expect(source).not.toBe("");
  }
  expect(REST_AUDITS.length).toBeGreaterThan(55);
});

test("a failing audit has a reason", async () => {
  const results = await auditRest({
    url: "http://nowhere.invalid",
    fetch: () => Promise.resolve(new Response("{}", { status: 418, headers: { "content-type": "application/json" } })),
  });
  expect(results.filter(({ reason }) => reason === undefined).length).toBeLessThan(5);
});
