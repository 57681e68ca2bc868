import { infiniteQueryOptions, invalidateOnChanges, mutationOptions, queryOptions } from "@bifocal/client/tanstack";
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LENSES, type Served, serveLibrary, STORES } from "./hosts.ts";
import { ANN } from "./library.ts";

const [memory] = STORES;
const idOf = (n: number): string => `b0000000-0000-4000-8000-00000000000${n}`;
const ALL = { sort: ["price"], select: { id: true, title: true, price: true } } as const;

describe.each(Object.entries(LENSES))("with the lens of %s", (_, lens) => {
  let served: Served;
  let client: ReturnType<Served["connect"]>;
  let cache: QueryClient;
  beforeAll(async () => {
    served = await serveLibrary(memory as (typeof STORES)[number]);
    const { book, person } = served.api.as(ANN);
    await person.create({ id: ANN.id, name: "Ann", email: null, born: null });
    const rest = {
      authorId: ANN.id,
      genre: "novel" as const,
      addedAt: new Date(0),
      words: null,
      size: null,
      format: null,
    };
    await book.createMany([1, 2, 3, 4, 5].map((n) => ({ ...rest, id: idOf(n), title: `Book ${n}`, price: n })));
  });
  afterAll(async () => served.close());
  beforeEach(() => {
    client = served.connect(lens(), ANN);
    cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  });
  afterEach(() => cache.clear());

  const books = () => queryOptions(client, ({ book }) => book.list(ALL));
  const titleOf = (n: number): string | undefined => cache.getQueryData(books().queryKey)?.items[n - 1]?.title;

  test("returns what the call returns, under a key of its arguments", async () => {
    expect(await cache.fetchQuery(books())).toEqual(await client.book.list(ALL));
    expect(books().queryKey).toEqual(["bifocal", "book", "list", ALL]);
    const one = queryOptions(client, ({ book }) => book.get(idOf(1), { select: { addedAt: true } }));
    expect(await cache.fetchQuery(one)).toEqual({ addedAt: new Date(0) });
    const many = queryOptions(client, ({ book }) => book.queries.cheap({ below: 3 }, { select: { price: true } }));
    expect((await cache.fetchQuery(many)).items).toEqual([{ price: 2 }, { price: 1 }]);
    const words = queryOptions(client, ({ book }) => book.list({ filter: { words: { gt: 5n } } }));
    expect((await cache.fetchQuery(words)).items).toEqual([]);
  });

  test("throws if the function doesn't return a call", () => {
    expect(() => queryOptions(client, async ({ book }) => book.list())).toThrow("Return one call of the client");
  });

  test("aborts the request of a canceled query", async () => {
    const ending = new AbortController();
    ending.abort(new Error("cancelled"));
    await expect(books().queryFn({ signal: ending.signal })).rejects.toThrow("cancelled");
  });

  test("throws if the function doesn't pass on the page, which would read the first page again and again", () => {
    expect(() => infiniteQueryOptions(client, ({ book }) => book.list(ALL))).toThrow("Pass on 'page'");
  });

  test("reads page after page in both directions", async () => {
    const options = infiniteQueryOptions(client, ({ book }, page) => book.list({ ...ALL, page: { size: 2, ...page } }));
    const observer = new InfiniteQueryObserver(cache, options);
    const stop = observer.subscribe(() => {});
    await expect.poll(() => observer.getCurrentResult().status).toBe("success");
    await observer.fetchNextPage();
    await observer.fetchNextPage();
    const { data, hasNextPage } = observer.getCurrentResult();
    expect(data?.pages.map(({ items }) => items.map(({ price }) => price))).toEqual([[1, 2], [3, 4], [5]]);
    expect(hasNextPage).toBe(false);
    const [, second] = data?.pages ?? [];
    expect(second && options.getPreviousPageParam(second)).toEqual({ before: second?.startCursor });
    stop();
  });

  test("changes cached rows at once, and reads them again after the call", async () => {
    await cache.fetchQuery(books());
    const one = queryOptions(client, ({ book }) => book.get(idOf(1), { select: { id: true, title: true } }));
    await cache.fetchQuery(one);
    const options = mutationOptions(
      client,
      cache,
      ({ book }, { id, title }: { id: string; title: string }) => book.update(id, { title }),
      { optimistic: true },
    );
    const stop = new QueryObserver(cache, books()).subscribe(() => {});
    const done = new MutationObserver(cache, options).mutate({ id: idOf(1), title: "Emma" });
    await expect.poll(() => titleOf(1), { interval: 0 }).toBe("Emma");
    expect(cache.getQueryData(one.queryKey)?.title).toBe("Emma");
    expect(await done).toMatchObject({ title: "Emma" });
    await served.api.as(ANN).book.update(idOf(2), { title: "Second" });
    await cache.invalidateQueries();
    expect([titleOf(1), titleOf(2)]).toEqual(["Emma", "Second"]);
    stop();
  });

  test("restores cached rows if the call fails", async () => {
    await cache.fetchQuery(books());
    const seen: unknown[] = [];
    const unsubscribe = cache.getQueryCache().subscribe(() => seen.push(titleOf(3)));
    const options = mutationOptions(
      client,
      cache,
      ({ book }, title: string) => book.update(idOf(3), { title, price: -1 }),
      {
        optimistic: true,
      },
    );
    await expect(new MutationObserver(cache, options).mutate("Wrong")).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    unsubscribe();
    expect(seen).toContain("Wrong");
    expect(titleOf(3)).toBe("Book 3");
    const erase = mutationOptions(client, cache, ({ book }, n: number) => book.delete(idOf(n)), { optimistic: true });
    await erase.onMutate(3);
    expect(titleOf(3)).toBe("Book 4");
  });

  test("reads queries again whose rows change, also along relations", async () => {
    const people = queryOptions(client, ({ person }) =>
      person.list({ select: { name: true, books: { sort: ["-price"], page: { size: 1 }, select: { title: true } } } }),
    );
    const tags = queryOptions(client, ({ tag }) => tag.list());
    await Promise.all([cache.fetchQuery(people), cache.fetchQuery(tags)]);
    const observer = new QueryObserver(cache, { ...people, staleTime: Number.POSITIVE_INFINITY });
    const stop = observer.subscribe(() => {});
    const ending = new AbortController();
    const watching = invalidateOnChanges(client, cache, ["book"], { signal: ending.signal });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await served.api.as(ANN).book.update(idOf(5), { title: "Live" });
    await expect.poll(() => observer.getCurrentResult().data?.items[0]?.books[0]?.title).toBe("Live");
    expect(cache.getQueryState(tags.queryKey)?.isInvalidated).toBe(false);
    ending.abort();
    await watching;
    stop();
  });
});
