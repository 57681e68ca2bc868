import { allow, belongsTo, defineApi, defineResource, signedIn } from "@bifocal/core";
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createClient, restLens } from "../index.ts";
import { infiniteQueryOptions, invalidateOnChanges, mutationOptions, queryOptions } from "./index.ts";

const access = { read: allow, create: signedIn, update: signedIn, delete: signedIn };
const author = defineResource("author", { fields: { id: z.uuid(), name: z.string() }, access });
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), authorId: z.uuid() },
  relations: { author: belongsTo("author", "authorId") },
  operations: ["get", "list", "update"],
  access,
});
const api = defineApi({ resources: [author, book] });
const client = createClient<typeof api>({ url: "/api", lens: restLens() });
const cache = new QueryClient();

test("queries have the type of the call, with its selection", async () => {
  const options = queryOptions(client, (recorder) =>
    recorder.book.list({ select: { title: true, author: { select: { name: true } } } }),
  );
  const { items } = await cache.fetchQuery(options);
  expectTypeOf(items).toEqualTypeOf<{ title: string; author: { name: string } }[]>();
  expectTypeOf(cache.getQueryData(options.queryKey)?.items).toEqualTypeOf<typeof items | undefined>();
  const one = new QueryObserver(
    cache,
    queryOptions(client, (recorder) => recorder.author.get("1")),
  );
  expectTypeOf(one.getCurrentResult().data).toEqualTypeOf<{ id: string; name: string } | null | undefined>();
  // @ts-expect-error there is no such field
  queryOptions(client, (recorder) => recorder.book.list({ select: { nme: true } }));
  // @ts-expect-error a call returns a promise
  queryOptions(client, (recorder) => recorder.book);
});

test("infinite queries have the type of their pages", () => {
  const options = infiniteQueryOptions(client, (recorder, page) =>
    recorder.book.list({ page: { size: 2, ...page }, select: { title: true } }),
  );
  const pages = new InfiniteQueryObserver(cache, options).getCurrentResult().data?.pages;
  expectTypeOf(pages?.[0]?.items).toEqualTypeOf<{ title: string }[] | undefined>();
  // @ts-expect-error a row is no page
  infiniteQueryOptions(client, (recorder) => recorder.book.get("1"));
});

test("mutations have the types of their variables and their result", async () => {
  const options = mutationOptions(client, cache, (recorder, { id, title }: { id: string; title: string }) =>
    recorder.book.update(id, { title }),
  );
  const observer = new MutationObserver(cache, options);
  expectTypeOf(await observer.mutate({ id: "1", title: "Emma" })).toEqualTypeOf<{
    id: string;
    title: string;
    authorId: string;
  }>();
  // @ts-expect-error the title is missing
  await observer.mutate({ id: "1" });
  // @ts-expect-error there is no such resource
  mutationOptions(client, cache, (recorder) => recorder.author.list(), { invalidates: ["sheep"] });
});

test("only resources with watch can invalidate queries", async () => {
  await invalidateOnChanges(client, cache, ["author"]);
  // @ts-expect-error the resource has no watch
  await invalidateOnChanges(client, cache, ["book"]);
});
