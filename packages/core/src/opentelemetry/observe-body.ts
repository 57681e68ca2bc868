import { type Context, context } from "@opentelemetry/api";

/** A body that is written piece by piece, within the context of its request; `end` is called once, with what broke it if something did. */
export function observeBody(
  body: AsyncIterable<string>,
  within: Context,
  end: (thrown?: unknown) => void,
): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]();
      let isOver = false;
      const finish = (thrown?: unknown): void => {
        if (isOver) return;
        isOver = true;
        end(thrown);
      };
      return {
        async next() {
          try {
            const result = await context.with(within, () => iterator.next());
            if (result.done === true) finish();
            return result;
          } catch (thrown) {
            finish(thrown);
            throw thrown;
          }
        },
        async return() {
          finish();
          await context.with(within, async () => iterator.return?.());
          return { done: true, value: undefined };
        },
      };
    },
  };
}
