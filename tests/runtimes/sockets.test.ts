import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { HOSTS, MISSING, type RunningHost } from "./host.ts";

const WITH_SOCKETS = HOSTS.filter(({ lacksSockets }) => lacksSockets !== true);
const SUBPROTOCOL = "graphql-transport-ws";
const INIT = JSON.stringify({ type: "connection_init" });

describe.skipIf(MISSING !== undefined).each(WITH_SOCKETS)(`$name ${MISSING ?? ""}`, ({ start }) => {
  let host: RunningHost;
  let url: string;
  beforeAll(async () => {
    host = await start();
    url = `ws://127.0.0.1:${host.port}/api/graphql`;
  }, 60_000);
  afterAll(() => host.close());

  /** Opens a socket and sends messages. Returns the code and reason with which the server closes it. */
  const closing = async (messages: readonly string[], subprotocol: string[] = [SUBPROTOCOL]): Promise<string> => {
    const socket = new WebSocket(url, subprotocol);
    socket.once("open", () => {
      for (const message of messages) socket.send(message);
    });
    return new Promise((resolve) =>
      socket.once("close", (code: number, reason: Buffer) => resolve(`${code} ${reason.toString()}`)),
    );
  };
  /** Returns the status with which the server rejects a socket. */
  const rejection = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> => {
    const socket = new WebSocket(path, SUBPROTOCOL, { headers });
    return new Promise((resolve, reject) => {
      socket.once("unexpected-response", (request, { statusCode }) => {
        request.destroy();
        resolve(statusCode);
      });
      socket.once("open", () => {
        socket.terminate();
        reject(new Error("The socket opened."));
      });
    });
  };

  test("closes a socket without the subprotocol", async () => {
    expect(await closing([], [])).toBe("4406 Subprotocol not acceptable");
  });

  test("closes a socket that isn't initialized in time", async () => {
    expect(await closing([])).toBe("4408 Connection initialisation timeout");
  });

  test("closes a socket that sends an invalid message", async () => {
    expect(await closing(["nonsense"])).toBe("4400 Invalid message: it is not valid JSON");
    expect(await closing([INIT, INIT])).toMatch(/^4429 /);
    expect(await closing(['{"type":"subscribe","id":"1","payload":{"query":"{ notes { nodes { id } } }"}}'])).toMatch(
      /^4401 /,
    );
  });

  test("closes a socket that sends a message above the limit", async () => {
    expect(await closing([INIT, JSON.stringify({ type: "ping", payload: { text: "x".repeat(300_000) } })])).toMatch(
      /^10(09|06) /,
    );
  });

  test("closes a socket that sends too many messages", async () => {
    const pings = Array.from({ length: 2_000 }, () => '{"type":"ping"}');
    // Deno resets a connection whose client still sends.
    expect(await closing([INIT, ...pings])).toMatch(/^(1008 Too many messages|1006 )$/);
  });

  test("rejects a socket with a credential in the URL or with too many headers", async () => {
    expect(await rejection(`${url}?access_token=audit`)).toBe(400);
    const headers = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x-${at}`, "1"]));
    // Deno itself rejects more than a hundred.
    expect([400, 431]).toContain(await rejection(url, headers));
  });

  test("limits the sockets of an address that aren't initialized, until they close", async () => {
    const sockets = Array.from({ length: 20 }, () => new WebSocket(url, SUBPROTOCOL));
    await Promise.all(sockets.map((socket) => new Promise((opened) => socket.once("open", opened))));
    expect(await rejection(url)).toBe(429);
    await Promise.all(
      sockets.map((socket) => {
        const closed = new Promise((resolve) => socket.once("close", resolve));
        socket.close();
        return closed;
      }),
    );
    expect(await closing(["nonsense"])).toMatch(/^4400 /);
  });

  test("sends events to a subscriber in order", async () => {
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    const texts: string[] = [];
    const query = "subscription { noteUpdated(id: 7) { text } }";
    const mutate = "mutation ($text: String!) { updateNote(id: 7, input: { text: $text }) { id } }";
    const one = async (document: string, variables = {}): Promise<unknown> =>
      (await client.iterate({ query: document, variables }).next()).value;
    await one('mutation { createNote(input: { id: 7, text: "0", stars: 1 }) { id } }');
    const events = client.iterate<{ noteUpdated: { text: string } }>({ query });
    const first = events.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let text = 1; text <= 100; text++) {
      await one(mutate, { text: String(text) });
      const { value } = text === 1 ? await first : await events.next();
      texts.push(value?.data?.noteUpdated.text ?? "");
    }
    expect(texts).toEqual(Array.from({ length: 100 }, (_, at) => String(at + 1)));
    await client.dispose();
  });

  test("closes sockets with 1012, and ends event streams, when the API closes", async ({ skip }) => {
    if (host.closeApi === undefined) return skip("workerd has no signals");
    const closed = closing([INIT]);
    const stream = await fetch(`http://127.0.0.1:${host.port}/api/notes`, { headers: { accept: "text/event-stream" } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    host.closeApi();
    expect(await closed).toMatch(/^1012 Service restart: reconnect in [1-5] s$/);
    expect(await stream.text()).toMatch(/^: open\n/);
  });
});
