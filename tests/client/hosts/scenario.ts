// Runs in browsers and other runtimes, so it has no imports of Node and no assertions.
import { createClient, graphqlLens, isBifocalError, restLens } from "@bifocal/client";
import { webSockets } from "@bifocal/client/websocket";
import type { BookstoreApi } from "@bifocal/example-bookstore/start";

export interface Scenario {
  readonly url: string;
  readonly lens: "rest" | "graphql";
  readonly key: string;
}

const AUTHOR = "a0000000-0000-4000-8000-000000000003";
const EDEN = { title: "Eden", authorId: AUTHOR, genre: "novel", price: 9, publishedAt: "1959-01-01" } as const;

/** Uses each part of the client that depends on its host, and returns the results as JSON. */
export async function runScenario({ url, lens, key }: Scenario): Promise<Record<string, unknown>> {
  const options = {
    url,
    lens: lens === "rest" ? restLens() : graphqlLens(),
    headers: { authorization: `Bearer ${key}` },
    retries: 1,
  };
  const client = createClient<BookstoreApi>(options);
  const errorOf = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (thrown) {
      if (!isBifocalError(thrown)) return String(thrown);
      const { code, status = "none", issues } = thrown;
      return { code, status, issues: issues.map((issue) => issue.code) };
    }
  };

  const page = await client.book.list({
    filter: { title: { in: ["Emma", ...Array.from({ length: 150 }, (_, n) => `Missing title ${n}`)] } },
    select: { title: true, author: { select: { name: true } } },
  });
  const created = await client.book.create({ ...EDEN, title: "Łódź 東京" });
  const { id } = created as { readonly id: string };
  const updated = await client.book.update(id, { price: 8 }, { select: { title: true, price: true } });
  await client.book.delete(id);

  const reason = new Error("stopped");
  const aborting = new AbortController();
  const aborted = errorOf(client.book.list({ signal: aborting.signal }));
  aborting.abort(reason);

  return {
    items: page.items,
    updated,
    deleted: await client.book.get(id),
    invalid: await errorOf(client.book.create({ ...EDEN, title: "" })),
    missing: await errorOf(client.book.update(id, { price: 1 })),
    unreachable: await errorOf(
      createClient<BookstoreApi>({ url: "http://127.0.0.1:9", lens: restLens() }).book.get(id),
    ),
    aborted: await aborted,
    watched: await watch(client),
    watchedBySocket: await watch(createClient<BookstoreApi>({ ...options, watch: webSockets() })),
  };
}

/** Returns the changes of a row, up to the abort of the watch. */
async function watch(client: ReturnType<typeof createClient<BookstoreApi>>): Promise<unknown> {
  const ending = new AbortController();
  const seen: unknown[] = [];
  const { name } = (await client.tag.get("fantasy")) as { readonly name: string };
  for await (const change of client.tag.watch({ id: "fantasy", initial: true, signal: ending.signal })) {
    const { kind } = change;
    seen.push("item" in change ? [kind, change.item.slug] : kind);
    if (kind === "current") await client.tag.update("fantasy", { name: `${name}!` });
    else ending.abort();
  }
  return seen;
}
