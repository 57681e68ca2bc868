import { setTimeout as sleep } from "node:timers/promises";
import { liveLists } from "@bifocal/client/live";
import { startTcpProxy } from "@bifocal/test-servers";
import { expect, test } from "vitest";
import { type Connect, connector, EDEN, LENSES } from "./bookstores.ts";

interface Hosted {
  readonly connect: Connect;
  readonly url: () => string;
}

const WRITES = 30;

/** Tests that clients of a bookstore miss no change and see none twice when their connections are cut. */
export function testReconnections({ connect, url }: Hosted): void {
  test("watches and live lists resume after each change that they received", async () => {
    const { hostname: host, port } = new URL(url());
    const proxy = await startTcpProxy({ host, port: Number(port) });
    const ending = new AbortController();
    const { signal } = ending;
    const far = connector(() => proxy.urlOf(url()).replace(/\/$/, ""), LENSES.REST)("admin", { live: liveLists });
    const query = { filter: { title: { startsWith: "Resumed" } }, select: { title: true }, signal } as const;
    const seen: unknown[] = [];
    let page: readonly unknown[] = [];
    const watching = (async () => {
      for await (const change of far.book.watch(query))
        seen.push("item" in change ? `${change.kind} ${change.item.title}` : change.kind);
    })();
    const listing = (async () => {
      for await (const { items } of far.book.list({ ...query, live: true, sort: ["-title"], page: { size: 5 } }))
        page = items.map(({ title }) => title);
    })();
    try {
      const { book } = connect("editor");
      const written: string[] = [];
      const create = async (): Promise<void> => {
        const title = `Resumed ${String(written.length).padStart(2, "0")}`;
        await book.create({ ...EDEN, title });
        written.push(title);
      };
      // A watch that was cut before its first change can't resume.
      while (seen.length === 0 || page.length === 0) {
        await create();
        await sleep(50);
      }
      for (let at = 0; at < WRITES; at++) {
        if (at % 10 === 5) proxy.cut();
        await create();
      }
      const all = written.map((title) => `created ${title}`).filter((change) => change >= String(seen[0]));
      await expect.poll(() => seen.length).toBeGreaterThanOrEqual(all.length);
      expect(seen).toEqual(all);
      await expect.poll(() => page).toEqual(written.slice(-5).toReversed());
    } finally {
      ending.abort();
      await Promise.all([watching, listing]);
      await proxy.close();
    }
  }, 30_000);
}
