import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("small-heap.ts", import.meta.url));
const READERS = 30;

test("J18: serves thirty clients that read five megabytes each, with a heap of 128 MB", {
  timeout: 120_000,
}, async () => {
  const execArgv = [
    "--max-old-space-size=128",
    "--conditions=@bifocal/source",
    "--disable-warning=ExperimentalWarning",
  ];
  const child = fork(PROGRAM, { execArgv });
  const ended = once(child, "exit");
  try {
    const [url] = (await once(child, "message")) as [string];
    const read = async (): Promise<number> => {
      const response = await fetch(`${url}/books`, { headers: { accept: "application/x-ndjson" } });
      let bytes = 0;
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) bytes += part.length;
      return response.status === 200 ? bytes : -response.status;
    };
    const all = await Promise.all(Array.from({ length: READERS }, read));
    // The response is complete, or the request was rejected because of overload.
    for (const bytes of all) expect(bytes === -503 || bytes > 5_000_000).toBe(true);
    expect(all.filter((bytes) => bytes > 0).length).toBeGreaterThan(0);
    expect((await fetch(`${url}/authors/1`)).status).toBeLessThan(504);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill();
    await ended;
  }
});
