import type { HttpResponse } from "../../message/message.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";

/** Handles one request. `ids` are the values of the path's parameters. */
export type Handler = (exchange: Exchange, ...ids: string[]) => MaybePromise<HttpResponse>;

/** The kind of a method's result, which determines the available formats. */
export type Answers = "list" | "item" | "other";

export interface MethodHandler {
  readonly handle: Handler;
  readonly answers: Answers;
  /** The media types of its requests and responses, if it belongs to certain formats. */
  readonly only?: readonly string[];
  /** Whether a write evaluates `If-Match` and `If-None-Match`. */
  readonly isConditional?: true;
}

type Flags = Pick<MethodHandler, "isConditional">;
export const CONDITIONAL: Flags = { isConditional: true };

export function answering(answers: Answers, handle: Handler, flags: Flags = {}): MethodHandler {
  return { answers, handle, ...flags };
}
