import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HttpResponse } from "../message/message.ts";
import { sendTogether } from "./node/send-together.ts";

const small: HttpResponse = { status: 200, headers: {}, body: "{}" };
const large: HttpResponse = { ...small, body: "x".repeat(20_000) };

let sent: string[] = [];
let now = 0;

function send(_answer: HttpResponse, name: string): void {
  sent.push(name);
}

/** Turns with one response, after which responses are sent at once. */
async function calm(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    sendTogether(small, "", () => undefined);
    await nextTurn();
  }
}

/** A turn with several responses, after which they are sent together. */
async function busy(): Promise<void> {
  for (let count = 0; count < 40; count++) sendTogether(small, "", () => undefined);
  await nextTurn();
}

beforeEach(async () => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
  await calm();
  sent = [];
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("sends at once while turns have one response", async () => {
  for (let turn = 0; turn < 100; turn++) {
    sendTogether(small, "one", send);
    expect(sent).toHaveLength(turn + 1);
    await nextTurn();
  }
});

test("sends together, in order and at the end of the turn, while turns have several responses", async () => {
  await busy();
  for (const name of ["first", "second", "third"]) sendTogether(small, name, send);
  await Promise.resolve();
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual(["first", "second", "third"]);
});

test("sends at once again after eight turns with one response", async () => {
  await busy();
  for (let turn = 0; turn < 8; turn++) {
    sendTogether(small, "one", send);
    expect(sent).toHaveLength(turn);
    await nextTurn();
  }
  sendTogether(small, "one", send);
  expect(sent).toHaveLength(9);
});

test("sends large bodies and streams at once", async () => {
  await busy();
  const stream = (async function* () {
    yield await Promise.resolve("{}");
  })();
  sendTogether(small, "small", send);
  sendTogether(large, "large", send);
  sendTogether({ ...small, body: Buffer.alloc(20_000) }, "bytes", send);
  sendTogether({ ...small, body: stream }, "stream", send);
  sendTogether({ ...small, body: null }, "none", send);
  expect(sent).toEqual(["large", "bytes", "stream"]);
  await nextTurn();
  expect(sent).toEqual(["large", "bytes", "stream", "small", "none"]);
});

test("no longer waits after a millisecond, or behind 128 responses", async () => {
  await busy();
  sendTogether(small, "first", send);
  now += 2;
  sendTogether(small, "second", send);
  expect(sent).toEqual(["first", "second"]);

  sent = [];
  for (let count = 1; count <= 130; count++) sendTogether(small, String(count), send);
  expect(sent).toHaveLength(128);
  await nextTurn();
  expect(sent).toHaveLength(130);
  expect(new Set(sent).size).toBe(130);
});

test("keeps the asynchronous context of each response", async () => {
  await busy();
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  for (const name of ["first", "second"])
    storage.run(name, () => sendTogether(small, name, () => seen.push(storage.getStore())));
  sendTogether(small, "none", () => seen.push(storage.getStore()));
  expect(seen).toEqual([]);
  await nextTurn();
  expect(seen).toEqual(["first", "second", undefined]);
});

test("a response that leads to another one sends both", async () => {
  await busy();
  sendTogether(small, "first", (answer, name) => {
    send(answer, name);
    sendTogether(small, "second", send);
  });
  await nextTurn();
  await nextTurn();
  expect(sent).toEqual(["first", "second"]);
});
