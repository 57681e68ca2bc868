import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOSTS, MAX_START_MS, MISSING, type RunningHost } from "./host.ts";

/** More rows of a thousand bytes than all buffers between the store and a client can hold. */
const MAX_BUFFERED = 40_000;

describe.skipIf(MISSING !== undefined).each(HOSTS)(`$name ${MISSING ?? ""}`, ({ start }) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await start();
  }, MAX_START_MS);
  afterAll(() => host?.close());

  const rowsRead = async (): Promise<number> =>
    Number(await (await fetch(`http://127.0.0.1:${host.port}/endless/rows-read`)).text());

  /** Waits until the store is no longer read, and returns how many rows it has returned. */
  async function untilPaused(): Promise<number> {
    for (let before = -1; ; ) {
      const now = await rowsRead();
      if (now === before || now > 10 * MAX_BUFFERED) return now;
      before = now;
      await sleep(400);
    }
  }

  test("reads the store at the pace of the client, and stops when the client disconnects", async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`http://127.0.0.1:${host.port}/endless/lines`, { headers: { accept: "text/csv" } }, resolve).once(
        "error",
        reject,
      ),
    );
    expect(response.statusCode).toBe(200);
    const buffered = await untilPaused();
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(MAX_BUFFERED);

    let received = 0;
    response.on("data", ({ length }: Buffer) => (received += length));
    while (received < 2 * MAX_BUFFERED * 1_000) await sleep(20);
    // A row has a little more than 1,000 bytes.
    expect(await rowsRead()).toBeGreaterThan(1.9 * MAX_BUFFERED);
    response.destroy();
    const stopped = await untilPaused();
    await sleep(400);
    expect(await rowsRead()).toBe(stopped);
  }, 60_000);
});
