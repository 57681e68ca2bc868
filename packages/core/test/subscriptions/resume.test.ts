import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLibrary } from "./library.ts";
import { Client, serve, type Served } from "./serve.ts";

const library = createLibrary();
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

const QUERY = "subscription ($after: String) { bookUpdated(after: $after) { title } }";

/** The messages of a subscriber: the title and id of each change, or an error code instead. */
type Told = readonly [title: string, id: string];
interface Subscriber {
  readonly next: () => Promise<Told>;
  readonly close: () => Promise<void>;
}

interface Payload {
  readonly data?: { readonly bookUpdated: { readonly title: string } } | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly reset?: boolean } }[];
  readonly extensions?: { readonly eventId: string };
}

function tell({ data, errors, extensions }: Payload): Told {
  const [error] = errors ?? [];
  const title = error?.extensions.reset === true ? `reset ${error.extensions.code}` : data?.bookUpdated.title;
  return [title ?? "?", extensions?.eventId ?? "?"];
}

const TRANSPORTS: Record<string, (after: string | undefined) => Promise<Subscriber>> = {
  async "a WebSocket"(after) {
    const client = await Client.open(served.url);
    await client.send({ type: "subscribe", id: "1", payload: { query: QUERY, variables: { after } } });
    await client.settle();
    return {
      next: async () => tell((await client.next()).payload as Payload),
      close: async () => {
        client.socket.close();
        await client.closed;
      },
    };
  },
  async "an event stream of GraphQL"(after) {
    const headers = { accept: "text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ query: QUERY, variables: { after } });
    return readEvents(await fetch(`${served.url}/graphql`, { method: "POST", headers, body }), ({ data }) =>
      tell(JSON.parse(data) as Payload),
    );
  },
  async "an event stream of REST"(after) {
    const headers = { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": after }) };
    return readEvents(await fetch(`${served.url}/books?fields=title`, { headers }), ({ event, data, id }) => [
      event === "reset" ? "reset UNAVAILABLE" : (JSON.parse(data) as { title: string }).title,
      id,
    ]);
  },
};

function readEvents(
  response: Response,
  read: (event: { readonly event: string; readonly data: string; readonly id: string }) => Told,
): Subscriber {
  const pieces = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).values();
  let text = "";
  return {
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          const { done, value } = await pieces.next();
          if (done === true) throw new Error(`The stream ended after ${text}`);
          text += value;
          continue;
        }
        const [, , id = "", event, data] = /^(id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (event !== undefined && data !== undefined) return read({ event, data, id });
      }
    },
    close: async () => void (await pieces.return?.(undefined)),
  };
}

describe.each(Object.entries(TRANSPORTS))("over %s", (transport, open) => {
  test("resumes after the last received event, without a gap", async () => {
    const first = await open(undefined);
    await library.books.update(1, { title: `One ${transport}` });
    const [title, id] = await first.next();
    expect(title).toBe(`One ${transport}`);
    await first.close();
    await library.books.update(1, { title: `Two ${transport}` });
    await library.books.update(2, { title: `Three ${transport}` });
    const second = await open(id);
    const missed = [await second.next(), await second.next()];
    // Rows are delivered in their current state.
    expect(missed.map(([one]) => one)).toEqual([`Two ${transport}`, `Three ${transport}`]);
    await library.books.update(1, { title: `Four ${transport}` });
    expect((await second.next())[0]).toBe(`Four ${transport}`);
    await second.close();
    // An event has the same id for every subscriber.
    const third = await open(id);
    expect(await third.next()).toEqual([`Four ${transport}`, missed[0]?.[1]]);
    await third.close();
  });

  test.each(["", "x", "-1", "0", "1e18", "x.1", "AAAAAAAA.99999999999999999999", "9".repeat(2_000)])(
    "F13: sends a reset for an id of another log: %#",
    async (id) => {
      // An empty header counts as absent.
      if (id === "" && transport.endsWith("REST")) return;
      const subscriber = await open(id);
      const [title, head] = await subscriber.next();
      expect(title).toBe("reset UNAVAILABLE");
      const after = `after ${Math.random()}`;
      await library.books.update(1, { title: after });
      expect((await subscriber.next())[0]).toBe(after);
      await subscriber.close();
      // A client can resume after a reset.
      const again = await open(head);
      expect((await again.next())[0]).toBe(after);
      await again.close();
    },
  );
});

test("reads changes together for subscribers that have caught up, without a gap", async () => {
  const [openFirst] = Object.values(TRANSPORTS);
  if (openFirst === undefined) throw new Error("There is no transport.");
  const { next, close } = await openFirst(undefined);
  await library.books.update(1, { title: "first" });
  const [, id] = await next();
  for (let n = 0; n < 20; n++) await library.books.update(1, { title: `missed ${n}` });
  const open = Object.values(TRANSPORTS).map((one) => one(id));
  for (let n = 0; n < 20; n++) await library.books.update(1, { title: `meanwhile ${n}` });
  const subscribers = await Promise.all(open);
  for (let n = 0; n < 20; n++) await library.books.update(1, { title: `later ${n}` });
  const heard = await Promise.all(
    subscribers.map(async (one) => {
      const ids: string[] = [];
      for (let n = 0; n < 60; n++) ids.push((await one.next())[1]);
      return ids;
    }),
  );
  for (const ids of heard) expect(ids).toEqual(heard[0]);
  expect(new Set(heard[0]).size).toBe(60);
  // One listener for REST and GraphQL together, including the earlier subscriber.
  expect(library.listeners()).toBe(1);
  await library.books.update(1, { title: "last" });
  for (const one of subscribers) expect((await one.next())[0]).toBe("last");
  await Promise.all([close(), ...subscribers.map((one) => one.close())]);
});

test("sends only new events to a subscriber without an id", async () => {
  const client = await Client.open(served.url);
  await client.send({ type: "subscribe", id: "1", payload: { query: QUERY, variables: { after: null } } });
  await client.settle();
  expect(client.waiting).toBe(0);
  client.socket.close();
});
