import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import {
  allow,
  type Authenticator,
  defineApi,
  defineResource,
  memoryStore,
  silentLog,
  type Store,
} from "@bifocal/core";
import { openTelemetry } from "@bifocal/opentelemetry";
import { nodeHttp } from "@bifocal/node-http";
import { createServer } from "node:http";
import { createClient } from "graphql-ws";
import { afterAll, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { listen } from "./listen.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** A span of the host, created wherever its code runs. */
function probe(name: string): void {
  trace.getTracer("host").startSpan(name).end();
}

const memory = memoryStore({ data: { note: [{ id: 1, text: "one" }] } });
const probing: Store = Object.assign(Object.create(memory) as Store, {
  open: memory.open.bind(memory),
  byKeys: async (...args: Parameters<Store["byKeys"]>) => {
    await Promise.resolve();
    probe("store");
    return memory.byKeys(...args);
  },
  transaction: memory.transaction.bind(memory),
});
const signedBy: Authenticator = {
  challenge: "Bearer",
  schemes: {},
  authenticate: async () => {
    await Promise.resolve();
    probe("authenticator");
    return null;
  },
};
/** Responds with the `traceparent` of its request. */
const other = await listen((request, response) => void response.end(request.headers["traceparent"] ?? "none"));
const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: {
    read: async () => {
      await Promise.resolve();
      probe("rule");
      return true;
    },
    create: allow,
    update: allow,
    delete: allow,
  },
  hooks: {
    get: {
      before: async () => {
        await Promise.resolve();
        probe("hook");
      },
    },
  },
  actions: {
    call: {
      on: "collection",
      access: allow,
      output: z.string(),
      run: () =>
        trace.getTracer("host").startActiveSpan("call", { kind: SpanKind.CLIENT }, async (span) => {
          const headers: Record<string, string> = {};
          propagation.inject(context.active(), headers);
          const answered = await fetch(other.base, { headers });
          span.end();
          return answered.text();
        }),
    },
  },
});
const api = defineApi({
  resources: [note],
  store: probing,
  auth: signedBy,
  graphql: { batching: true },
  log: silentLog,
  telemetry: openTelemetry({ principal: (principal) => ({ "enduser.known": principal !== null }) }),
});
const listener = nodeHttp(api);
const server = createServer(listener);
listener.attach(server);
const { base, close } = await listen((request, response) => server.emit("request", request, response));
const sockets = await new Promise<string>((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(`ws://127.0.0.1:${(server.address() as { port: number }).port}/graphql`));
});
afterAll(async () => {
  await Promise.all([close(), other.close(), listener.close(server)]);
});
beforeEach(() => sdk.takeSpans());

test("runs the host's code within the span of the work that it belongs to", async () => {
  await fetch(`${base}/notes/1`);
  const shape = ({ name, children }: Awaited<ReturnType<typeof sdk.takeTrees>>[number]): unknown =>
    children.length === 0 ? name : { [name]: children.map(shape) };
  expect((await sdk.takeTrees()).map(shape)).toEqual([
    { "GET /notes/{id}": ["authenticator", { "get note": ["hook", "rule", { "store.byKeys note": ["store"] }] }] },
  ]);
});

test("passes the trace to servers that an action calls", async () => {
  const answered = (await (await fetch(`${base}/notes/call`, { method: "POST" })).json()) as string;
  const spans = await sdk.takeSpans();
  const call = spans.find(({ name }) => name === "call");
  const { traceId = "", spanId = "" } = call?.spanContext() ?? {};
  expect(answered).toBe(`00-${traceId}-${spanId}-01`);
  expect(spans.map((span) => span.spanContext().traceId)).toEqual(spans.map(() => traceId));
});

test("continues the trace of the request headers", async () => {
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=opaque" };
  await fetch(`${base}/notes/1`, { headers });
  const spans = await sdk.takeSpans();
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  const root = spans.find(({ kind }) => kind === SpanKind.SERVER);
  expect(root?.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true });
  expect(root?.spanContext().traceState?.serialize()).toBe("vendor=opaque");
});

test("gives each document of a batch its own span below the request", async () => {
  const body = JSON.stringify([
    { query: "query One { note(id: 1) { text } }" },
    { query: "query Two { nothing }" },
    { query: "query Three { __typename }" },
  ]);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${base}/graphql`, { method: "POST", headers, body });
  expect(await response.json()).toHaveLength(3);
  const [root] = await sdk.takeTrees();
  expect(root?.name).toBe("POST /graphql");
  const names = root?.children
    .map(({ attributes }) => attributes["graphql.operation.name"])
    .filter((name) => name !== undefined);
  expect(names?.toSorted()).toEqual(["One", "Three"]);
});

test("doesn't record a trace that isn't sampled", async () => {
  await fetch(`${base}/notes/1`, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  expect(await sdk.takeSpans()).toEqual([]);
});

test.each([
  "",
  "00",
  "nonsense",
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
])("starts a new trace for a malformed traceparent: %j", async (traceparent) => {
  expect((await fetch(`${base}/notes/1`, { headers: { traceparent } })).status).toBe(200);
  const [root] = (await sdk.takeSpans()).filter(({ kind }) => kind === SpanKind.SERVER);
  expect(root?.parentSpanContext).toBeUndefined();
  expect(root?.spanContext().traceId).not.toBe(TRACE);
});

test("makes a local call part of its caller's trace", async () => {
  await trace.getTracer("host").startActiveSpan("job", async (span) => {
    await api.local.note.get(1);
    span.end();
  });
  expect(await sdk.takeTrees()).toMatchObject([{ name: "job", children: [{ name: "get note" }] }]);
});

test("lets the host add span attributes for the caller", async () => {
  await api.local.note.get(1);
  await api.as({ id: "somebody" }).note.get(1);
  const known = (await sdk.takeTrees()).map(({ attributes }) => attributes["enduser.known"]);
  expect(known).toEqual([false, true]);
});

test.each([
  ["the trace in 'extensions'", { traceparent: `00-${TRACE}-${PARENT}-01` }, TRACE],
  ["a new id if the header is malformed", { traceparent: "nonsense" }, undefined],
  ["a new id if the traceparent isn't text", { traceparent: { a: 1 } }, undefined],
  ["a new id without extensions", undefined, undefined],
])("traces an operation over WebSocket: %s", async (_, extensions, expected) => {
  const client = createClient({ url: sockets, webSocketImpl: WebSocket, retryAttempts: 0 });
  for (let n = 0; n < 2; n++) {
    const asked = { query: "{ note(id: 1) { text } }", ...(extensions === undefined ? {} : { extensions }) };
    const { value } = await client.iterate(asked).next();
    expect(value).toEqual({ data: { note: { text: "one" } } });
  }
  await client.dispose();
  const spans = await sdk.takeSpans();
  const roots = spans.filter(({ name }) => name === "query");
  const traces = new Set(roots.map((span) => span.spanContext().traceId));
  expect(expected === undefined ? traces.size : [...traces]).toEqual(expected === undefined ? 2 : [expected]);
  const parent = expected === undefined ? undefined : PARENT;
  expect(roots.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([parent, parent]);
  const operations = spans.filter(({ name }) => name === "get note");
  expect(operations.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
    roots.map((span) => span.spanContext().spanId),
  );
});
