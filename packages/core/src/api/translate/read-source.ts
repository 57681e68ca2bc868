import { BifocalError, type Issue } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import { firstSegment } from "../../message/first-segment.ts";
import type { Protocol } from "../../message/protocol.ts";
import { createCaller } from "../../operation/create-caller.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Run } from "../../operation/run.ts";
import type { GraphqlSource, RestSource } from "./translation.ts";

/** Stops a front end after it has lowered a request. */
const NOT_RUN = new BifocalError("UNAVAILABLE", "This operation is only translated.");

/** Returns the operations of a request without running them. Throws the error that the request would get. */
export async function readSource(
  { rest, graphql }: { readonly rest: Protocol; readonly graphql: Protocol },
  source: RestSource | GraphqlSource,
): Promise<readonly Operation[]> {
  const operations: Operation[] = [];
  const run: Run = (operation) => {
    operations.push(operation);
    return { kind: "failure", error: NOT_RUN };
  };
  const caller = createCaller(null, undefined);
  const [protocol, request] =
    "document" in source ? [graphql, graphqlRequest(source)] : ([rest, restRequest(source)] as const);
  const response = await protocol.handle(request, {
    run,
    caller,
    segment: firstSegment(request.path),
    during: (work) => work(),
  });
  if (response === null) {
    throw new BifocalError("NOT_FOUND", "The API has no such path. Leave out the prefix at which it is mounted.");
  }
  if (operations.length === 0) throw errorOf(response);
  const [first] = operations;
  if (first?.kind === "get" && first.toChange !== undefined) {
    const message =
      "This patch changes a part of an object, so its operation depends on the row. Send the whole object.";
    throw new BifocalError("BAD_REQUEST", message);
  }
  return operations;
}

function restRequest({ method = "GET", url, headers = {}, body }: RestSource): HttpRequest {
  const { pathname, search } = parseUrl(url);
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  // A translation must not take up an idempotency key.
  const own = given.filter(([name]) => name !== "idempotency-key");
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const sent = {
    method: method.toUpperCase(),
    path: pathname,
    query: search,
    headers: { ...type, ...Object.fromEntries(own) },
  };
  return createRequest(sent, body);
}

/** Keeps the text of the URL, because `URL` would encode it. */
function parseUrl(url: string): { readonly pathname: string; readonly search: string } {
  const path = url.replace(/^https?:\/\/[^/?#]*/, "").replace(/#.*$/, "");
  const at = path.indexOf("?");
  const pathname = at < 0 ? path : path.slice(0, at);
  return { pathname: pathname.startsWith("/") ? pathname : `/${pathname}`, search: at < 0 ? "" : path.slice(at + 1) };
}

function graphqlRequest({ document, variables, operationName }: GraphqlSource): HttpRequest {
  const isSubscription = /^\s*subscription\b/m.test(document);
  const headers = {
    "content-type": "application/json",
    accept: isSubscription ? "text/event-stream" : "application/json",
  };
  return createRequest(
    { method: "POST", path: "/graphql", query: "", headers },
    { query: document, variables, operationName },
  );
}

function createRequest(parts: Pick<HttpRequest, "method" | "path" | "query" | "headers">, body: unknown): HttpRequest {
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  return {
    ...parts,
    headerCount: Object.keys(parts.headers).length,
    repeats: () => false,
    address: undefined,
    scheme: "http",
    prefix: "",
    body: () => bytes,
    signal: new AbortController().signal,
    raw: undefined,
  };
}

interface Refusal {
  readonly code?: ErrorCode;
  readonly detail?: string;
  readonly title?: string;
  readonly errors?: readonly (Partial<Issue> & {
    readonly message?: string;
    readonly extensions?: { readonly code?: ErrorCode; readonly errors?: readonly Issue[] };
  })[];
}

/** Converts a problem of REST, or the errors of GraphQL, to one error. */
function errorOf({ body, status }: HttpResponse): BifocalError {
  const refusal = typeof body === "string" && body.startsWith("{") ? (JSON.parse(body) as Refusal) : {};
  const { code, detail, title, errors = [] } = refusal;
  if (code !== undefined)
    return new BifocalError(code, detail ?? title ?? code, { issues: errors as readonly Issue[] });
  const [first] = errors;
  if (first === undefined) {
    const message =
      status < 400 ? "This request runs no operation. Translate a request for rows." : "The request is invalid.";
    return new BifocalError("BAD_REQUEST", message);
  }
  const message = errors.map((one) => one.message ?? "").join("\n");
  return new BifocalError(first.extensions?.code ?? "BAD_REQUEST", message, { issues: first.extensions?.errors ?? [] });
}
