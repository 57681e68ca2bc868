import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { DeprecationModel, OfferedOperations, ResourceModel } from "../../model/model.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";

/** A path with its methods. */
export interface Endpoint {
  /** For example `/books/{id}`. */
  readonly path: string;
  /** The resource that the path belongs to. */
  readonly resource: ResourceModel;
  /** The resource of the rows that the endpoint returns and accepts. */
  readonly subject: ResourceModel;
  readonly methods: Readonly<Partial<Record<Method, MethodHandler>>>;
  /** Handles `GET` with `Accept: text/event-stream`. */
  readonly watch?: Handler;
  readonly deprecation: DeprecationModel | undefined;
  /** Returns the error for an unsupported method. Default: METHOD_NOT_ALLOWED. */
  readonly refusal?: (method: string) => BifocalError | undefined;
}

export type Method = "GET" | "QUERY" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Returns the operations that REST offers and the store supports. */
export type OperationsOf = (resource: ResourceModel) => OfferedOperations;

/** Handles one request. `id` and `far` are the values of the path's parameters. */
export type Handler = (exchange: Exchange, id?: string, far?: string) => MaybePromise<HttpResponse>;

/** The kind of a method's result, which determines the available formats. */
export type Answers = "list" | "item" | "other";

export interface MethodHandler {
  readonly handle: Handler;
  readonly answers: Answers;
  /** The media types of its requests and responses, if it belongs to certain formats. */
  readonly only?: readonly string[];
  /** Whether a write evaluates `If-Match` and `If-None-Match`. */
  readonly isConditional?: true;
  /** Whether the body contains the fields of one row, in any format that can be read. */
  readonly takesRow?: true;
}

type Flags = Pick<MethodHandler, "isConditional" | "takesRow">;
export const CONDITIONAL: Flags = { isConditional: true };
/** A create, and a write of one row with preconditions. */
export const CREATE: Flags = { takesRow: true };
export const ROW_WRITE: Flags = { isConditional: true, takesRow: true };

export function answering(answers: Answers, handle: Handler, flags: Flags = {}): MethodHandler {
  return { answers, handle, ...flags };
}
