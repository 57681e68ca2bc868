import { context, metrics, SpanKind, trace } from "@opentelemetry/api";
import { openTelemetry } from "@bifocal/opentelemetry";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { expressRouter } from "@bifocal/express";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import { createRequire } from "node:module";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { listen } from "./listen.ts";
import { startSdk, toTrees } from "./sdk.ts";

const sdk = startSdk();
const EMMA = "b0000000-0000-4000-8000-000000000001";

describe("the instrumentation of node:http", async () => {
  const instrumentation = new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true });
  instrumentation.setMeterProvider(metrics.getMeterProvider());
  createRequire(import.meta.url)("node:http");
  const { api } = createBookstore({ telemetry: openTelemetry() });
  const app = createExpress().use("/api", expressRouter(api));
  const servers = await Promise.all([
    listen(nodeHttp(api, { prefix: "/api" })),
    listen((request, response) => void app(request, response)),
  ]);
  afterAll(async () => {
    instrumentation.disable();
    for (const { close } of servers) await close();
  });
  beforeEach(() => sdk.takeSpans());

  test.each(["node-http", "express"].map((name, index) => [name, index] as const))(
    "on %s: creates one server span per request, with the route",
    async (_, index) => {
      const { base = "" } = servers[index] ?? {};
      expect((await fetch(`${base}/api/books/${EMMA}`)).status).toBe(200);
      const spans = await sdk.takeSpans();
      const [root] = spans.filter(({ kind }) => kind === SpanKind.SERVER);
      expect(root?.instrumentationScope.name).toBe("@opentelemetry/instrumentation-http");
      expect(toTrees(spans)).toMatchObject([
        {
          name: "GET /api/books/{id}",
          kind: "SERVER",
          status: "UNSET",
          attributes: {
            "http.request.method": "GET",
            "http.response.status_code": 200,
            "http.route": "/api/books/{id}",
            "url.path": `/api/books/${EMMA}`,
            "url.scheme": "http",
          },
          children: [{ name: "get book", kind: "INTERNAL", children: [{ name: "store.byKeys book" }] }],
        },
      ]);
    },
  );

  test("measures each request once", async () => {
    const [{ base }] = servers;
    const count = async () => {
      const all = await sdk.measured("http.server.request.duration");
      return all
        .filter(({ attributes }) => attributes["http.route"] === "/api/authors")
        .reduce((sum, { value }) => sum + value, 0);
    };
    const before = await count();
    await (await fetch(`${base}/api/authors`)).text();
    expect((await count()) - before).toBe(1);
  });
});

test("adds the known attributes to a server span of the host", async () => {
  const { api } = createBookstore({ telemetry: openTelemetry() });
  const answer = nodeHttp(api);
  const { base, close } = await listen((request, response) => {
    const span = trace.getTracer("host").startSpan("host", { kind: SpanKind.SERVER });
    response.once("close", () => span.end());
    context.with(trace.setSpan(context.active(), span), () => answer(request, response));
  });
  await sdk.takeSpans();
  await (await fetch(`${base}/books/${EMMA}`)).text();
  await close();
  expect(await sdk.takeTrees()).toMatchObject([
    {
      name: "GET /books/{id}",
      kind: "SERVER",
      attributes: { "http.route": "/books/{id}", "http.response.status_code": 200 },
      children: [{ name: "get book" }],
    },
  ]);
});

test("uses an internal span of the host as the parent", async () => {
  const { api } = createBookstore({ telemetry: openTelemetry({ prefix: "/shops/{shop}" }) });
  const app = createExpress().use(
    "/shops/:shop",
    (_request, _response, next) =>
      trace.getTracer("host").startActiveSpan("middleware", (span) => {
        next();
        span.end();
      }),
    expressRouter(api),
  );
  const { base, close } = await listen((request, response) => void app(request, response));
  await sdk.takeSpans();
  await (await fetch(`${base}/shops/7/books/${EMMA}`)).text();
  await close();
  expect(await sdk.takeTrees()).toMatchObject([
    {
      name: "middleware",
      children: [{ name: "GET /shops/{shop}/books/{id}", attributes: { "url.path": `/shops/7/books/${EMMA}` } }],
    },
  ]);
});
