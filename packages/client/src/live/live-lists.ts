import { resourceNamed } from "../description.ts";
import type { Options, Row } from "../lens.ts";
import { sleep } from "../retry.ts";
import { readWithRetries } from "./read-with-retries.ts";
import { createLivePage } from "./live-page.ts";
import type { LiveChange, LiveLists, LiveSource } from "./live-source.ts";
import { createLatest, type Latest } from "./latest.ts";

/** Gathers changes that arrive together, and keeps clients from reading at the same moment. */
const RELOAD_DELAY_MS = 50;

/**
 * Makes `list({ live: true })` yield a page whenever it changes: `createClient({ url, lens, live: liveLists })`.
 */
export const liveLists: LiveLists = (source, query) => {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  query.signal?.addEventListener("abort", end, { once: true });
  if (query.signal?.aborted === true) end();
  const latest = createLatest<object>(() => {
    end();
    query.signal?.removeEventListener("abort", end);
  });
  ending.signal.addEventListener("abort", () => latest.end(), { once: true });
  let isStarted = false;
  const next = async (): Promise<IteratorResult<object, undefined>> => {
    if (!isStarted && !ending.signal.aborted) {
      isStarted = true;
      follow(source, query, latest, ending.signal).then(latest.end, latest.fail);
    }
    return latest.next();
  };
  return {
    next,
    return: async () => {
      latest.end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

/** Reads the page once changes arrive, and applies the changes to it. */
async function follow(source: LiveSource, query: Options, latest: Latest<object>, signal: AbortSignal): Promise<void> {
  const resource = resourceNamed(await source.describe(), source.name);
  const wide = { ...query, signal, ...widen(query, resource.key) };
  const live = createLivePage(resource, query);
  let waiting: LiveChange[] = [];
  let isLoading = false;
  const publish = (): void => {
    const page = live.page();
    latest.put({ ...page, items: page.items.map((row) => narrow(row, query)) });
  };

  /** Reads until no change is left that only another read can apply. The changes of a read's own time follow it. */
  async function load(delay: number): Promise<void> {
    isLoading = true;
    let isUnknown = true;
    while (isUnknown) {
      await sleep(delay * (0.5 + Math.random()), signal);
      waiting = [];
      live.load(await readWithRetries(async () => source.list(wide), signal));
      isUnknown = waiting.map(live.apply).includes("unknown");
      delay = RELOAD_DELAY_MS;
      publish();
    }
    isLoading = false;
  }
  const start = (delay: number): void => {
    load(delay).catch(latest.fail);
  };

  const { sort: _, page: __, count: ___, search: ____, deleted: _____, ...watched } = wide;
  let isOpened = false;
  const opened = (): void => {
    if (!isOpened) start(0);
    isOpened = true;
  };
  for await (const change of source.watch({ ...watched, opened })) {
    if (isLoading) {
      waiting.push(change);
      continue;
    }
    const effect = live.apply(change);
    if (effect === "changed") publish();
    if (effect === "unknown") start(RELOAD_DELAY_MS);
  }
}

/** Also selects the fields that identify and order the rows. */
function widen({ select, sort = [] }: Options, key: readonly string[]): Pick<Options, "select"> {
  if (select === undefined) return {};
  const fields = [...key, ...sort.map((term) => term.replace(/^-/, "")).filter((name) => !name.includes("."))];
  return { select: { ...Object.fromEntries(fields.map((name) => [name, true as const])), ...select } };
}

function narrow(row: Row, { select }: Options): Row {
  return select === undefined ? row : Object.fromEntries(Object.entries(row).filter(([name]) => name in select));
}
