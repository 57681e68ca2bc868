/** Creates books with unique numbers, and retries until it knows that each exists. */
export interface Writer {
  /** The numbers of the acknowledged books. */
  readonly acknowledged: ReadonlySet<number>;
  readonly sent: () => number;
  /** When the first request for a number was sent, by `performance.now()`. */
  readonly sentAt: (id: number) => number;
  readonly stop: () => Promise<void>;
}

export function startWriter(url: () => string, { perSecond, hands }: { perSecond: number; hands: number }): Writer {
  const acknowledged = new Set<number>();
  const times = new Map<number, number>();
  let [count, isOver] = [0, false];
  const start = performance.now();

  async function write(id: number): Promise<void> {
    times.set(id, performance.now());
    for (;;) {
      try {
        const body = JSON.stringify({ id, title: `Book ${id}` });
        const headers = { "content-type": "application/json" };
        const signal = AbortSignal.timeout(5_000);
        const { status } = await fetch(`${url()}/books`, { method: "POST", headers, body, signal });
        // Without a response, the client must check whether the write happened.
        if (status === 201 || status === 409) {
          acknowledged.add(id);
          return;
        }
      } catch {
        // Its instance was killed.
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const running = Array.from({ length: hands }, async () => {
    while (!isOver) {
      const late = (count * 1_000) / perSecond - (performance.now() - start);
      if (late > 0) await new Promise((resolve) => setTimeout(resolve, late));
      await write(++count);
    }
  });
  return {
    acknowledged,
    sent: () => count,
    sentAt: (id) => times.get(id) ?? 0,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
