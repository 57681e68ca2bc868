import { createGraphiQLFetcher, type Fetcher } from "@graphiql/toolkit";
import { getOperationAST } from "graphql";
import { createClient } from "graphql-sse";

/**
 * Subscriptions come as server-sent events: each carries the headers of the editor, which a browser cannot set on a
 * WebSocket.
 */
export function createFetcher(url: string): Fetcher {
  const overHttp = createGraphiQLFetcher({ url });
  return (parameters, options) => {
    const { query, operationName, variables } = parameters;
    const document = options?.documentAST;
    if (document === undefined || getOperationAST(document, operationName)?.operation !== "subscription") {
      return overHttp(parameters, options);
    }
    const headers = (options?.headers ?? {}) as Record<string, string>;
    return createClient({ url, headers, retryAttempts: 0 }).iterate({
      query,
      ...(typeof operationName === "string" ? { operationName } : {}),
      ...(isObject(variables) ? { variables } : {}),
    });
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
