import { openTelemetry } from "@bifocal/opentelemetry";
import { createClient } from "graphql-ws";
import { beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { KEYS, onEachAdapter, send } from "../bookstore/stores.ts";
import { delivery, document, operation, server, store } from "./expected.ts";
import { startSdk, toTrees } from "./sdk.ts";

const sdk = startSdk();
const LEM = "a0000000-0000-4000-8000-000000000003";
const book = (title: string) => ({ title, authorId: LEM, genre: "novel", price: 9, publishedAt: "1959-01-01" });

onEachAdapter(
  (base) => {
    const create = (title: string) => send(base(), "POST", "/books", { as: "admin", body: book(title) });
    const connect = () =>
      createClient({
        url: `${base().replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { authorization: `Bearer ${KEYS.admin}` },
      });
    const total = async (name: string): Promise<number> =>
      (await sdk.measured(name)).reduce((sum, { value }) => sum + value, 0);
    beforeEach(() => sdk.takeSpans());

    test("over WebSocket: a span for each start, and a delivery span linked to all subscriptions that wait for it", async () => {
      const delivered = await total("bifocal.subscription.deliveries");
      const client = connect();
      const query = 'subscription { bookCreated(filter: { title: { startsWith: "WS" } }) { title } }';
      const seen = [client.iterate({ query }), client.iterate({ query })];
      const first = seen.map((one) => one.next());
      await vi.waitFor(async () => expect(await total("bifocal.subscription.active")).toBe(2));
      const begun = await vi.waitFor(async () => {
        const spans = await sdk.takeSpans();
        expect(spans.filter(({ name }) => name === "subscription").length).toBe(2);
        return spans;
      });
      const beginning = document("subscription", {}, [operation("watch", "book", {})]);
      expect(toTrees(begun)).toEqual([beginning, beginning]);

      await create("other");
      await create("WS book");
      expect(await Promise.all(first)).toMatchObject([{ value: { data: {} } }, { value: { data: {} } }]);
      await client.dispose();
      await vi.waitFor(async () => expect(await total("bifocal.subscription.active")).toBe(0));
      const spans = await sdk.takeSpans();
      const trees = toTrees(spans).filter(({ name }) => name === "deliver book");
      expect(trees).toEqual([
        // The change itself contains it, so nothing is read.
        delivery("book", "created", false, []),
        delivery("book", "created", true, [store("byKeys", "book", 1)]),
      ]);
      const watches = begun.filter(({ name }) => name === "watch book").map((span) => span.spanContext().spanId);
      for (const { links } of spans.filter(({ name }) => name === "deliver book")) {
        expect(links.map((link) => link.context.spanId).toSorted()).toEqual(watches.toSorted());
      }
      expect((await total("bifocal.subscription.deliveries")) - delivered).toBe(2);
    });

    test("over server-sent events the span of the request ends when the stream starts", async () => {
      const stop = new AbortController();
      const headers = { accept: "text/event-stream", authorization: `Bearer ${KEYS.admin}` };
      const response = await fetch(`${base()}/books`, { headers, signal: stop.signal });
      expect(response.status).toBe(200);
      expect(await sdk.takeTrees()).toEqual([
        server(base(), "GET", "/books", ["/books", 200], [operation("watch", "book", {})]),
      ]);
      expect(await total("bifocal.subscription.active")).toBe(1);
      expect(await total("http.server.active_requests")).toBe(0);
      stop.abort();
      await vi.waitFor(async () => expect(await total("bifocal.subscription.active")).toBe(0));
    });

    test("doesn't count a rejected subscription as active", async () => {
      const headers = { accept: "text/event-stream" };
      const { status } = await fetch(`${base()}/books?filter[cost]=1`, { headers });
      expect(status).toBe(400);
      expect(await total("bifocal.subscription.active")).toBe(0);
    });
  },
  { telemetry: openTelemetry() },
);
