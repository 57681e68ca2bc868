import type { QueryClient } from "@tanstack/query-core";
import type { WatchQuery } from "../watch.ts";
import { invalidate } from "./invalidate.ts";
import { checkSettings } from "./check-settings.ts";

type Watched = Readonly<Record<string, { readonly watch: (query: WatchQuery) => AsyncIterable<object> }>>;

/** The resources of a client that can be watched. */
type WatchedName<C> = { [N in keyof C & string]: C[N] extends { readonly watch: unknown } ? N : never }[keyof C &
  string];

export interface ChangesOptions {
  /** Ends the watching. */
  readonly signal?: AbortSignal;
}

/**
 * Reads queries again when rows of these resources change, with one event stream for each resource. Resolves when the
 * signal aborts; rejects if a stream fails.
 */
export async function invalidateOnChanges<C extends object>(
  client: C,
  cache: QueryClient,
  names: readonly WatchedName<C>[],
  options: ChangesOptions = {},
): Promise<void> {
  const { signal } = options;
  checkSettings("invalidateOnChanges", options, ["signal"], names ?? null);
  const ending = new AbortController();
  const signals = [ending.signal, signal].filter((one) => one !== undefined);
  const query = { signal: AbortSignal.any(signals) };
  try {
    await Promise.all(
      names.map(async (name) => {
        for await (const _ of (client as unknown as Watched)[name]?.watch(query) ?? []) {
          // A failed read is the state of its query.
          void invalidate(client, cache, [name]).catch(() => {});
        }
      }),
    );
  } finally {
    ending.abort();
  }
}
