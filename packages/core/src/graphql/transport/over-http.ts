import { execute, getOperationAST, GraphQLError, type GraphQLSchema } from "graphql";
import { BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import type { Limits } from "../../operation/limits.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { CONTEXT_KEY, type ExecutionContext } from "../context.ts";
import type { CheckDocument } from "./documents.ts";
import { type MediaType, negotiate } from "./media-type.ts";
import { observeExecution } from "./observe-execution.ts";
import { type Parameters, parseParameters } from "./parameters.ts";
import { serializeRefusal, serializeResult } from "./serialize-result.ts";

const METHODS = "GET, POST, PUT, DELETE, OPTIONS";

export interface OverHttpOptions {
  readonly schema: GraphQLSchema;
  readonly checkDocument: CheckDocument;
  readonly limits: Limits;
  readonly telemetry: Telemetry | undefined;
}

export type HandleGraphql = (request: HttpRequest, context: ExecutionContext) => Promise<HttpResponse>;

/** GraphQL over HTTP: queries by GET, queries and mutations by POST, both media types, validated before execution. */
export function createOverHttp({ schema, checkDocument, limits, telemetry }: OverHttpOptions): HandleGraphql {
  const executeObserved = observeExecution(telemetry, execute);

  return async (request, context) => {
    const { method } = request;
    if (method === "OPTIONS")
      return { status: 204, headers: { Allow: METHODS, "Cache-Control": "no-store" }, body: null };
    const type = negotiate(request.headers["accept"]);
    try {
      if (method !== "GET" && method !== "POST") throw methodNotAllowed(`GraphQL has no ${method}.`, METHODS);
      if (type === undefined) {
        throw new BifocalError(
          "NOT_ACCEPTABLE",
          "GraphQL answers application/graphql-response+json or application/json.",
        );
      }
      return await answer(request, await parseParameters(request, limits), type, context);
    } catch (thrown) {
      if (isBifocalError(thrown)) return serializeRefusal(thrown, type);
      throw thrown;
    }
  };

  async function answer(
    { method }: HttpRequest,
    { query, operationName, variables }: Parameters,
    type: MediaType,
    context: ExecutionContext,
  ): Promise<HttpResponse> {
    const checked = checkDocument(query);
    if (checked.errors !== undefined) return serializeResult({ errors: checked.errors }, type, method);
    const operation = getOperationAST(checked.document, operationName)?.operation;
    if (operation === undefined) {
      return serializeResult({ errors: [new GraphQLError(noOperation(operationName))] }, type, method);
    }
    if (operation === "subscription") {
      throw new BifocalError("NOT_ACCEPTABLE", "A subscription needs a WebSocket, or 'Accept: text/event-stream'.");
    }
    if (operation === "mutation" && method === "GET") throw methodNotAllowed("A mutation is sent by POST.", "POST");
    const result = await executeObserved({
      schema,
      document: checked.document,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
      contextValue: { [CONTEXT_KEY]: context },
    });
    return serializeResult(result, type, method);
  }
}

function noOperation(operationName: string | undefined): string {
  if (operationName !== undefined) return `The document has no operation '${operationName}'.`;
  return "The document has more than one operation: 'operationName' says which.";
}

function methodNotAllowed(message: string, allow: string): BifocalError {
  return new BifocalError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allow } });
}
