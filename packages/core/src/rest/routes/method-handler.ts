import type { HttpResponse } from "../../message/message.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";

/** Answers one request; `ids` are the segments of the path that the pattern leaves open. */
export type Handler = (exchange: Exchange, ...ids: string[]) => MaybePromise<HttpResponse>;

/** What a method answers, which decides the formats it can be had in. */
export type Answers = "list" | "item" | "relationship" | "other";

export interface MethodHandler {
  readonly handle: Handler;
  readonly answers: Answers;
  /** Whether a change looks at `If-Match` and `If-None-Match`. */
  readonly isConditional?: true;
}

type Flags = Pick<MethodHandler, "isConditional">;
export const CONDITIONAL: Flags = { isConditional: true };

export function answering(answers: Answers, handle: Handler, flags: Flags = {}): MethodHandler {
  return { answers, handle, ...flags };
}
