import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createLibrary } from "./library.ts";
import { Client, serve } from "./serve.ts";

const QUERY = "subscription { bookUpdated { title } }";
const LONG = "x".repeat(60_000);

test("F09: closes a socket that doesn't read with 1013, without delaying others", async () => {
  const library = createLibrary({ subscriptions: { queuedBytes: 262_144 } });
  const served = await serve(library.api);
  const [slow, quick] = [await Client.open(served.url), await Client.open(served.url)];
  for (const client of [slow, quick]) {
    await client.send({ type: "subscribe", id: "1", payload: { query: QUERY } });
    await client.settle();
  }
  slow.socket.pause();
  // The system's socket buffers hold megabytes, which is more than Bifocal holds.
  for (let n = 0; n < 200; n++) {
    await library.books.update(1, { title: `${n} ${LONG}` });
    expect(await quick.next()).toMatchObject({ type: "next" });
  }
  slow.socket.resume();
  expect(await slow.closed).toEqual({ code: 1013, reason: "The client reads too slowly" });
  // The received messages are complete and in order, and then they stop.
  let last = -1;
  while (slow.waiting > 0) {
    const { payload } = (await slow.next()) as { payload: { data: { bookUpdated: { title: string } } } };
    const number = Number.parseInt(payload.data.bookUpdated.title, 10);
    expect(number).toBe(last + 1);
    last = number;
  }
  expect(last).toBeLessThan(199);
  await served.close();
});

test("F09: ends an event stream that isn't read with an event, and resumes it without a gap", async () => {
  const library = createLibrary({ subscriptions: { queuedBytes: 262_144 } });
  const served = await serve(library.api);
  const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
  socket.write("GET /books?fields=title HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
  await once(socket, "readable");
  for (let n = 0; n < 200; n++) await library.books.update(1, { title: `${n} ${LONG}` });
  await expect.poll(() => library.listeners()).toBe(0);
  let text = "";
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes("event: error")) break;
  }
  expect(text).toMatch(/event: error\ndata: {[^\n]*"code":"UNAVAILABLE"[^\n]*}\n\n/);
  const ids = [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id as string);
  expect(ids.length).toBeLessThan(200);
  const headers = { accept: "text/event-stream", "last-event-id": ids.at(-1) ?? "" };
  const again = await fetch(`${served.url}/books?fields=id`, { headers });
  let rest = "";
  for await (const piece of (again.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    rest += piece;
    ids.push(...[...piece.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id as string));
    if (ids.length === 200) break;
  }
  expect(rest).not.toContain("reset");
  expect(new Set(ids).size).toBe(200);
  await served.close();
});

test("F09: ends a GraphQL event stream that isn't read with an error result", async () => {
  const library = createLibrary({ subscriptions: { queuedBytes: 262_144 } });
  const served = await serve(library.api);
  const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
  const body = JSON.stringify({ query: QUERY });
  const headers = `Host: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`POST /graphql HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  await once(socket, "readable");
  await expect.poll(() => library.listeners()).toBe(1);
  for (let n = 0; n < 200; n++) await library.books.update(1, { title: `${n} ${LONG}` });
  await expect.poll(() => library.listeners()).toBe(0);
  let text = "";
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes("event: complete")) break;
  }
  expect(text).toMatch(/event: next\ndata: {"errors":\[{[^\n]*"UNAVAILABLE"[^\n]*}\n\nevent: complete\n/);
  // It resumes after the last result that it read.
  expect(text).toMatch(/"extensions":{"eventId":"[^"]+","kind":"updated"}}\n\n/);
  await served.close();
});
