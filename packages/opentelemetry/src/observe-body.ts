import { type Context, context } from "@opentelemetry/api";

/** Runs each step of a streamed body in the context of its request. Calls `end` once, with the error if the stream failed. */
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
