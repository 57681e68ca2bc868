import type { MaybePromise } from "@bifocal/core/telemetry";
import { type Context, context, type Span, trace } from "@opentelemetry/api";
import { noteThrown } from "./faults.ts";

/** Runs `work` within a span, passes the result to `note`, and ends the span. */
export function inSpan<T>(
  span: Span,
  parent: Context,
  work: () => MaybePromise<T>,
  note: (result: T) => void,
): MaybePromise<T> {
  const succeed = (result: T): T => {
    note(result);
    span.end();
    return result;
  };
  const fail = (thrown: unknown): never => {
    noteThrown(span, thrown);
    span.end();
    throw thrown;
  };
  let result: MaybePromise<T>;
  try {
    result = context.with(trace.setSpan(parent, span), work);
  } catch (thrown) {
    return fail(thrown);
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
}
