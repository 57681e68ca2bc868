import { expect, test } from "vitest";
import { createChangeQueue } from "./change-queue.ts";

test("yields the waiting changes in their order, and then each new one", async () => {
  const queue = createChangeQueue();
  const changes = queue[Symbol.asyncIterator]();
  queue.put({ id: "1" });
  queue.put({ id: "2" });
  expect([(await changes.next()).value, (await changes.next()).value]).toEqual([{ id: "1" }, { id: "2" }]);
  const next = changes.next();
  queue.put({ id: "3" });
  expect((await next).value).toEqual({ id: "3" });
  const last = changes.next();
  queue.end();
  expect((await last).done).toBe(true);
});

test("throws an error after the changes that came before it, and takes no more", async () => {
  const queue = createChangeQueue();
  queue.put({ id: "1" });
  queue.end(new Error("lost"));
  queue.put({ id: "2" });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const { id } of queue) seen.push(id);
  })();
  await expect(reading).rejects.toThrow("lost");
  expect(seen).toEqual(["1"]);
});

test("reports that a reader is 10,000 changes behind, and still yields them", async () => {
  const queue = createChangeQueue();
  let put = 1;
  while (queue.put({ id: String(put) })) put += 1;
  queue.end();
  expect(put).toBe(10_000);
  let last: string | undefined;
  for await (const { id } of queue) last = id;
  expect(last).toBe("10000");
});
