import { asSystem } from "@bifocal/core";
import { ADA, MARK, type Shops } from "./shops.ts";

/** The number of the last mark before the steps. */
const START = 1_000;
/** In milliseconds. */
const [MAX_WAIT_MS, ATTEMPT_MS] = [30_000, 20];

interface Listener {
  /** The events that the caller received, without those of the marks. */
  readonly seen: string[];
  /** Waits until each stream delivers events. */
  readonly start: () => Promise<void>;
  /** Waits until each stream has delivered the events of all writes so far. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Collects the events that the caller receives. Changes to rows of its shop mark how far each stream is. */
export function listen(api: Shops): Listener {
  const seen: string[] = [];
  const delivered = { book: 0, review: 0 };
  let mark = 0;
  let onMark = (): void => {};
  const streams = { book: api.as(ADA).book.watch(), review: api.as(ADA).review.watch() };
  const reading = [readAll("book"), readAll("review")];

  async function readAll(name: keyof typeof streams): Promise<void> {
    for await (const { kind, item } of streams[name]) {
      if (item?.id !== MARK) {
        seen.push(JSON.stringify([kind, item]));
        continue;
      }
      delivered[name] = "stars" in item ? item.stars : item.price;
      onMark();
    }
  }

  const isDelivered = (from: number): boolean => delivered.book >= from && delivered.review >= from;

  async function writeMark(): Promise<number> {
    mark++;
    const { book, review } = api.as(asSystem("mark the streams", { tenant: "a" }));
    await book.update(MARK, { price: mark });
    await review.update(MARK, { stars: mark });
    return mark;
  }

  /** Returns whether the mark was delivered in time. */
  function waitFor(from: number, ms: number): Promise<boolean> {
    if (isDelivered(from)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      onMark = () => {
        if (!isDelivered(from)) return;
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  async function settle(): Promise<void> {
    if (!(await waitFor(await writeMark(), MAX_WAIT_MS))) throw new Error("The streams deliver no events.");
  }

  return {
    seen,
    async start() {
      const first = mark + 1;
      const end = Date.now() + MAX_WAIT_MS;
      do {
        if (Date.now() > end) throw new Error("The streams don't open.");
        await writeMark();
      } while (!(await waitFor(first, ATTEMPT_MS)));
      // The number of attempts must not show in the rows.
      mark = START;
      await settle();
      seen.length = 0;
    },
    settle,
    async stop() {
      for (const stream of Object.values(streams)) await stream.return?.();
      await Promise.all(reading);
    },
  };
}
