import { createClient as createSseClient } from "graphql-sse";
import { createClient } from "graphql-ws";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask, KEYS, onEachStore, type Role, send } from "./stores.ts";

const LEM = "a0000000-0000-4000-8000-000000000003";
const book = (title: string, publishedAt: string | null = "1959-01-01") => ({
  title,
  authorId: LEM,
  genre: "novel",
  price: 9,
  publishedAt,
});

interface QueryClient {
  iterate(request: { readonly query: string }): AsyncIterator<unknown>;
}

onEachStore((base, host) => {
  const lacksSockets = host?.lacksSockets === true;
  const create = async (title: string, publishedAt?: string | null): Promise<string> => {
    const { headers } = await send(base(), "POST", "/books", { as: "admin", body: book(title, publishedAt) });
    return headers.get("location") ?? "";
  };
  const connect = (as?: Role) =>
    createClient({
      url: `${base().replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(as === undefined ? {} : { connectionParams: { authorization: `Bearer ${KEYS[as]}` } }),
    });
  /** Waits until the subscriptions of clients have started. The protocols don't confirm it, but they answer a later query. */
  const settle = async (...clients: readonly QueryClient[]): Promise<void> => {
    for (const client of clients) await client.iterate({ query: "{ __typename }" }).next();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };

  test.skipIf(lacksSockets)("sends the selected fields that the subscriber can see over WebSocket", async () => {
    const [reader, editor] = [connect("reader"), connect("editor")];
    const query = 'subscription { bookCreated(filter: { title: { startsWith: "WS" } }) { title author { name } } }';
    const seen = [reader.iterate({ query }), editor.iterate({ query })] as const;
    const first = [seen[0].next(), seen[1].next()];
    await settle(reader, editor);
    await create("other");
    await create("WS draft", null);
    await create("WS book");
    expect((await first[1])?.value).toMatchObject({
      data: { bookCreated: { title: "WS draft", author: { name: "Stanisław Lem" } } },
    });
    expect((await first[0])?.value).toMatchObject({
      data: { bookCreated: { title: "WS book", author: { name: "Stanisław Lem" } } },
    });
    expect((await seen[1].next()).value).toMatchObject({ data: { bookCreated: { title: "WS book" } } });
    await reader.dispose();
    await editor.dispose();
  });

  test.skipIf(lacksSockets)("runs queries and mutations and returns errors over the same socket", async () => {
    const client = connect("admin");
    const one = async (query: string) => (await client.iterate({ query }).next()).value as unknown;
    expect(await one("{ tags(first: 1) { nodes { slug } } }")).toMatchObject({
      data: { tags: { nodes: [{ slug: "classic" }] } },
    });
    expect(await one('mutation { deleteTag(id: "none") { deleted } }')).toMatchObject({
      errors: [{ extensions: { code: "NOT_FOUND" } }],
    });
    await expect(one("{ nothing }")).rejects.toMatchObject([{ extensions: { code: "BAD_REQUEST" } }]);
    await client.dispose();
  });

  test.skipIf(lacksSockets)("closes the socket of an invalid credential", async () => {
    const socket = new WebSocket(`${base().replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.once("open", () => socket.send(JSON.stringify({ type: "connection_init", payload: { apiKey: "wrong" } })));
    expect(await closed).toBe(4403);
  });

  test("sends server-sent events", async () => {
    const client = createSseClient({ url: `${base()}/graphql`, fetchFn: fetch, retryAttempts: 0 });
    const changes = client.iterate({ query: "subscription { tagUpdated { slug name } }" });
    const next = changes.next();
    await settle(client);
    await ask(base(), 'mutation { updateTag(id: "sale", input: { name: "On sale" }) { slug } }', { as: "admin" });
    expect((await next).value).toMatchObject({ data: { tagUpdated: { slug: "sale", name: "On sale" } } });
    await changes.return?.();
    client.dispose();
  });

  test("sends many subscriptions over one stream of server-sent events", async () => {
    const client = createSseClient({
      url: `${base()}/graphql`,
      singleConnection: true,
      fetchFn: fetch,
      retryAttempts: 0,
    });
    const tags = client.iterate({ query: "subscription { tagUpdated { name } }" });
    const books = client.iterate({
      query: 'subscription { bookCreated(filter: { title: { eq: "SSE1" } }) { title } }',
    });
    const next = [tags.next(), books.next()];
    await settle(client);
    await ask(base(), 'mutation { updateTag(id: "sale", input: { name: "Sale" }) { slug } }', { as: "admin" });
    await create("SSE1");
    expect((await next[0])?.value).toMatchObject({ data: { tagUpdated: { name: "Sale" } } });
    expect((await next[1])?.value).toMatchObject({ data: { bookCreated: { title: "SSE1" } } });
    await expect(client.iterate({ query: "{ nothing }" }).next()).rejects.toThrow("responded with 400");
    client.dispose();
  });

  const initial = 'subscription { tagUpdated(id: "classic", initial: true) { slug } }';
  const current = { data: { tagUpdated: { slug: "classic" } } };
  test.skipIf(lacksSockets)("starts from the current rows, over WebSocket", async () => {
    const client = connect();
    expect((await client.iterate({ query: initial }).next()).value).toMatchObject(current);
    await client.dispose();
  });

  test("starts from the current rows, over server-sent events and REST", async () => {
    const sse = createSseClient({ url: `${base()}/graphql`, fetchFn: fetch, retryAttempts: 0 });
    expect((await sse.iterate({ query: initial }).next()).value).toMatchObject(current);
    sse.dispose();
    const events = await listen(`${base()}/tags/classic?initial=true&fields=slug`);
    expect(await events.next()).toEqual({ id: "", event: "current", data: { slug: "classic" } });
    events.close();
  });

  test("resumes a REST collection as an event stream", async () => {
    const events = await listen(`${base()}/books?filter[title][startsWith]=SSE&fields=title`);
    const path = await create("SSE one");
    // Each change is read again when it is delivered, so a deleted row sends only its deletion.
    const seen = [await events.next()];
    await send(base(), "PATCH", path, { as: "admin", body: { title: "SSE two" } });
    seen.push(await events.next());
    await send(base(), "DELETE", path, { as: "admin" });
    seen.push(await events.next());
    expect(seen.map(({ event }) => event)).toEqual(["created", "updated", "deleted"]);
    expect(seen.at(-1)?.data).toEqual({ title: "SSE two" });
    events.close();
    const missed = await create("SSE missed");
    const again = await listen(`${base()}/books?filter[title][startsWith]=SSE&fields=title`, {
      "last-event-id": seen[2]?.id ?? "",
    });
    expect(await again.next()).toMatchObject({ event: "created", data: { title: "SSE missed" } });
    again.close();
    const unknown = await listen(`${base()}${missed}`, { "last-event-id": "from-before-the-restart" });
    expect(await unknown.next()).toMatchObject({ event: "reset" });
    unknown.close();
  });
});

interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A small reader of event streams, because Node has none. */
async function listen(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ next: () => Promise<ServerEvent>; close: () => void }> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<ServerEvent> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) throw new Error("The stream is over.");
        text += value;
        continue;
      }
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      if (lines[0]?.startsWith(":")) continue;
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
      return { id: field("id"), event: field("event"), data: JSON.parse(field("data")) };
    }
  };
  // The first comment shows that the stream is open and the subscription has started.
  const { value } = await reader.read();
  text = value ?? "";
  return { next, close: () => controller.abort() };
}
