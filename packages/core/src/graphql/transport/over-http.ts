import { EVENT_STREAM } from "../../message/event-stream.ts";
import { isRead } from "./is-read.ts";
import { GraphQLError, type GraphQLSchema } from "graphql";
import { BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { Limits } from "../../limits/limits.ts";
import { catchMaybePromise, mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import type { ExecutionContext } from "../context.ts";
import type { ExecuteOperation } from "../execute/execute-operation.ts";
import { refusedResult } from "../execute/result.ts";
import type { PartFormat } from "../incremental/graphql-js.ts";
import type { CheckDocument } from "./create-document-cache.ts";
import type { MediaType } from "./media-type.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { answerBatch } from "./batch.ts";
import { partFormat, serializeParts } from "./multipart.ts";
import { noteMalformed } from "../meter.ts";
import { type BodyRules, checkParameters, type ParameterRules, type Parameters, readRequest } from "./parameters.ts";
import { type Answering, serializeRefusal, serializeResult } from "./serialize-result.ts";

const METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

export interface OverHttpOptions extends ParameterRules, BodyRules {
  readonly schema: GraphQLSchema;
  readonly checkDocument: CheckDocument;
  readonly limits: Limits;
  readonly execute: ExecuteOperation;
  readonly answering: Answering;
  /** Whether one HTTP request may contain a list of requests. */
  readonly batching: boolean;
  /** Whether responses may be incremental. */
  readonly incremental: boolean;
}

/** `accepted` is the media type that was negotiated for the response. */
export type HandleGraphql = (
  request: HttpRequest,
  context: ExecutionContext,
  accepted: MediaType | undefined,
) => MaybePromise<HttpResponse>;

/**
 * Implements GraphQL over HTTP: queries by GET, queries and mutations by POST, both media types, and validation before
 * execution.
 */
export function createOverHttp(options: OverHttpOptions): HandleGraphql {
  const { checkDocument, limits, answering, batching, execute } = options;

  return (request, context, accepted) => {
    const { method } = request;
    if (method === "OPTIONS")
      return { status: 204, headers: { Allow: METHODS, "Cache-Control": "no-store" }, body: null };
    const format = options.incremental && method !== "HEAD" ? partFormat(request.headers["accept"]) : undefined;
    // A client that accepts incremental responses can read a plain response too.
    const type = accepted ?? (format === undefined ? undefined : JSON_TYPE);
    const recover = (thrown: unknown): HttpResponse => {
      noteMalformed(thrown, context.caller);
      return refuse(thrown, type, method);
    };
    return catchMaybePromise(() => {
      if (!isRead(method) && method !== "POST")
        throw methodNotAllowed(`${method} is not supported for GraphQL. Use GET or POST.`, METHODS);
      // `HEAD` of a stream would start it.
      if (type === undefined || type === EVENT_STREAM) {
        throw new BifocalError(
          "NOT_ACCEPTABLE",
          "Available formats: application/graphql-response+json, application/json. Set 'Accept' accordingly.",
        );
      }
      const answerOne = (one: unknown, taken?: PartFormat): MaybePromise<HttpResponse> =>
        answer(request, checkParameters(one, options), type, context, taken);
      return mapMaybePromise(readRequest(request, options), (given) => {
        if (!Array.isArray(given) || !batching) return answerOne(given, format);
        return answerBatch(given, limits, type, async (one) => {
          const response = await catchMaybePromise(() => answerOne(one), recover);
          return response.body as string;
        });
      });
    }, recover);
  };

  function refuse(thrown: unknown, type: MediaType | undefined, method: string): HttpResponse {
    if (isBifocalError(thrown)) return serializeRefusal(thrown, type, answering.status);
    if (thrown instanceof GraphQLError)
      return serializeResult(refusedResult([thrown], answering), type ?? JSON_TYPE, method, answering);
    throw thrown;
  }

  function answer(
    { method }: HttpRequest,
    { query, operationName, variables }: Parameters,
    type: MediaType,
    context: ExecutionContext,
    format: PartFormat | undefined,
  ): MaybePromise<HttpResponse> {
    const checked = checkDocument(query);
    if (checked.errors !== undefined) {
      context.caller.onMalformed?.();
      return serializeResult(refusedResult(checked.errors, answering), type, method, answering);
    }
    const compiled = checked.operation(operationName);
    if (compiled === undefined) {
      context.caller.onMalformed?.();
      const errors = [new GraphQLError(noOperation(operationName))];
      return serializeResult(refusedResult(errors, answering), type, method, answering);
    }
    const { operation } = compiled.operation;
    if (operation === "subscription") {
      throw new BifocalError("NOT_ACCEPTABLE", "Subscriptions need a WebSocket, or 'Accept: text/event-stream'.");
    }
    if (operation === "mutation" && isRead(method)) throw methodNotAllowed("Mutations must be sent by POST.", "POST");
    return mapMaybePromise(execute(compiled, variables, context, format), (result) =>
      result.parts !== undefined && format !== undefined
        ? serializeParts(result.text, result.parts, format)
        : serializeResult(result, type, method, answering),
    );
  }
}

function noOperation(operationName: string | undefined): string {
  if (operationName !== undefined) return `The document has no operation named '${operationName}'.`;
  return "The document has several operations. Set 'operationName'.";
}

function methodNotAllowed(message: string, allow: string): BifocalError {
  return new BifocalError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allow } });
}
