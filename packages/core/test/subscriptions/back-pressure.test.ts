import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createLibrary } from "./library.ts";
import { Client, serve } from "./serve.ts";

const QUERY = "subscription { bookUpdated { title } }";
const LONG = "x".repeat(60_000);

test("a socket that does not read is closed by 1013, and holds up nobody", async () => {
  const library = createLibrary({ queuedBytes: 262_144 });
  const served = await serve(library.api);
  const [slow, quick] = [await Client.open(served.url), await Client.open(served.url)];
  for (const client of [slow, quick]) {
    await client.send({ type: "subscribe", id: "1", payload: { query: QUERY } });
    await client.settle();
  }
  slow.socket.pause();
  // What the system holds for a socket is megabytes, and more than what we hold.
  for (let n = 0; n < 200; n++) {
    await library.books.update(1, { title: `${n} ${LONG}` });
    expect(await quick.next()).toMatchObject({ type: "next" });
  }
  slow.socket.resume();
  expect(await slow.closed).toEqual({ code: 1013, reason: "Too much waits to be read" });
  // What it got is whole and in order, and then nothing.
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

test("an event stream that is not read loses what waits, and is told so by a reset", async () => {
  const library = createLibrary({ queuedBytes: 262_144 });
  const served = await serve(library.api);
  const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
  socket.write("GET /books?fields=title HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
  await once(socket, "readable");
  for (let n = 0; n < 200; n++) await library.books.update(1, { title: `${n} ${LONG}` });
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  await expect.poll(() => text.includes("event: reset\ndata: {}\n\n")).toBe(true);
  await library.books.update(1, { title: "after" });
  await expect.poll(() => text.includes('{"title":"after"}')).toBe(true);
  // It resumes behind what the reset names.
  const [, id] = /id: (\S+)\nevent: reset/.exec(text) ?? [];
  expect(id).toMatch(/^\S+\.\d+$/);
  socket.destroy();
  await expect.poll(() => library.listeners()).toBe(0);
  await served.close();
});
