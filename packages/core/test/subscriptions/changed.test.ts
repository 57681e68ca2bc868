import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource } from "../../src/index.ts";
import { createLibrary, newBook } from "./library.ts";
import { Client, type Message, serve, type Served } from "./serve.ts";

const QUERY = "subscription ($after: String) { bookChanged(after: $after, filter: { id: { lt: 9 } }) { id title } }";
const subscribe = (id: string, query: string, variables = {}) => ({
  type: "subscribe",
  id,
  payload: { query, variables },
});

interface Result {
  readonly data: { readonly bookChanged: { readonly id: string } } | null;
  readonly errors?: readonly { readonly extensions: { readonly id?: string } }[];
  readonly extensions: { readonly kind: string; readonly eventId: string };
}

/** The kind of a change and the id of its row. */
function summarize({ payload }: Message): string {
  const { data, errors, extensions } = payload as Result;
  return `${extensions.kind} ${data?.bookChanged.id ?? errors?.[0]?.extensions.id ?? "-"}`;
}

describe("'bookChanged'", () => {
  let library: ReturnType<typeof createLibrary>;
  let served: Served;
  beforeEach(async () => {
    library = createLibrary();
    served = await serve(library.api);
  });
  afterEach(async () => served.close());

  test("sends all kinds of changes in their order, and resumes after one", async () => {
    const { books } = library;
    const client = await Client.open(served.url);
    await client.send(subscribe("1", QUERY));
    await client.settle();
    const messages: Message[] = [];
    const writes = [
      () => books.create(newBook(4)),
      () => books.update(4, { title: "New" }),
      () => books.update(1, { draft: true }),
      () => books.delete(4),
    ];
    // One after another: an update isn't sent if its row is deleted before it is read.
    for (const write of writes) {
      await write();
      messages.push(await client.next());
    }
    expect(messages.map(summarize)).toEqual(["created 4", "updated 4", "left 1", "deleted 4"]);
    const { eventId } = ((messages[2] as Message).payload as Result).extensions;
    await client.send(subscribe("2", QUERY, { after: eventId }), subscribe("3", QUERY, { after: "unknown" }));
    const resumed = [await client.next(), await client.next()].sort((a, b) => (a.id ?? "").localeCompare(b.id ?? ""));
    expect(resumed.map(summarize)).toEqual(["deleted 4", "reset -"]);
    client.socket.close();
  });

  test("marks the initial rows", async () => {
    const client = await Client.open(served.url);
    await client.send(subscribe("1", "subscription { bookChanged(id: 2, initial: true) { id } }"));
    const first = await client.next();
    expect(first.payload).toEqual({ data: { bookChanged: { id: "2" } }, extensions: { kind: "current" } });
    client.socket.close();
  });
});

describe("a ping after 'subscribe'", () => {
  let open: () => void;
  let served: Served;
  let client: Client;
  const slow = "subscription { noteChanged { id } }";
  const ping = (n: number) => ({ type: "ping", payload: { n } });
  const pong = (n: number) => ({ type: "pong", payload: { n } });
  beforeEach(async () => {
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const read = async () => {
      await opened;
      return true;
    };
    const note = defineResource("note", {
      fields: { id: z.int32(), text: z.string() },
      access: { read, create: allow, update: allow, delete: allow },
    });
    served = await serve(defineApi({ resources: [note], secret: "s".repeat(32) }));
    client = await Client.open(served.url);
  });
  afterEach(async () => {
    client.socket.close();
    await served.close();
  });

  test("gets its pong when the subscription is open; only one pong waits", async () => {
    await client.send(subscribe("1", slow), ping(1), ping(2), subscribe("2", "{ __typename }"));
    expect(await client.next()).toEqual(pong(2));
    expect(await client.next()).toMatchObject({ id: "2", type: "next" });
    expect(await client.next()).toMatchObject({ id: "2", type: "complete" });
    expect(client.waiting).toBe(0);
    open();
    expect(await client.next()).toEqual(pong(1));
  });

  test("gets its pong after the errors of a rejected subscription", async () => {
    await client.send(subscribe("1", "subscription { nothing }"), ping(1));
    expect([await client.next(), await client.next()]).toMatchObject([{ id: "1", type: "error" }, pong(1)]);
  });

  test("gets its pong if the client ends the subscription", async () => {
    await client.send(subscribe("1", slow), ping(1), { type: "complete", id: "1" });
    expect(await client.next()).toEqual(pong(1));
    open();
  });
});
