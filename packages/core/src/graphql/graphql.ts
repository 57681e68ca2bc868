import type { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";
import type { Protocol, ProtocolContext, SocketProtocol } from "../message/protocol.ts";
import type { Model } from "../model/model.ts";
import { createCaller } from "../operation/create-caller.ts";
import type { Limits } from "../limits/limits.ts";
import type { Host } from "./extend/host.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ApiSchema } from "./api-schema.ts";
import { createExecuteOperation } from "./execute/execute-operation.ts";
import { observeOperation } from "./execute/observe-operation.ts";
import { mapMaybePromise, type MaybePromise } from "../util/maybe-promise.ts";
import type { RunOnce } from "./idempotent-run.ts";
import { parseIdempotencyKey } from "../lowering/idempotency/parse-idempotency-key.ts";
import { createMeter } from "./meter.ts";
import { createPersisted, type ManifestTexts } from "./persisted/persisted-documents.ts";
import type { GraphqlSettings } from "./settings.ts";
import { refuseCrossSite } from "./transport/cross-site.ts";
import { createExecutor } from "./transport/executor.ts";
import { createDocumentCache } from "./transport/create-document-cache.ts";
import { type GraphiqlPage, HTML, mayGetPage, servePage } from "./transport/graphiql.ts";
import { createOverHttp } from "./transport/over-http.ts";
import { createParseRequestBody } from "./transport/parse-request-body.ts";
import { negotiateResponseType } from "./transport/media-type.ts";
import { isRead } from "./transport/is-read.ts";
import { withoutBody } from "../message/without-body.ts";
import { createOverSse, isSseRequest } from "./transport/sse/over-sse.ts";
import { createResultHeaders, serializeRefusal } from "./transport/serialize-result.ts";
import { WebSocketConnection, SUBPROTOCOL } from "./transport/ws/websocket-connection.ts";
import type { ConnectionOptions } from "./transport/ws/connection-options.ts";

export interface GraphqlOptions {
  readonly model: Model;
  readonly limits: Limits;
  /** Title of the API. */
  readonly title: string;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
  readonly schema: ApiSchema;
  readonly runOnce: RunOnce;
  readonly settings: GraphqlSettings & Required<Pick<GraphqlSettings, "introspection" | "suggestions">>;
  /** The documents that clients can request by id. */
  readonly documents: ManifestTexts;
  readonly maskError: Host["maskError"];
  readonly telemetry: Telemetry | undefined;
  readonly limiter: RateLimiter | undefined;
  /** Whether pages of this origin may read responses. */
  readonly isAllowedOrigin: (origin: string) => boolean;
}

export interface Graphql extends Protocol {
  /** Creates the `graphql-transport-ws` protocol. */
  readonly sockets: (options: SocketOptions) => SocketProtocol;
}

/** The options that the server of the sockets provides. */
export type SocketOptions = Pick<
  ConnectionOptions,
  "run" | "authenticate" | "log" | "refusal" | "during" | "turn" | "hold" | "malformed"
>;

const PATH = "/graphql";
const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

/** The transports of GraphQL: HTTP, server-sent events and WebSockets. */
export function createGraphql(parts: GraphqlOptions): Graphql {
  const { model, limits, title, settings, telemetry, maskError } = parts;
  const { served: schema, ids } = parts.schema;
  const credentials = parts.credentials.filter((header) => header !== "Cookie");
  const { introspection, suggestions, status = "classic" } = settings;
  const incremental = settings.incremental === true;
  const checkDocument = createDocumentCache(schema, limits, { introspection, suggestions });
  const findDocument = createPersisted(settings.persisted ?? {}, parts.documents, checkDocument, limits);
  const mask = (thrown: unknown, caller = createCaller(null, undefined)): BifocalError => maskError(thrown, caller);
  // Each response depends on the caller.
  const vary = ["Accept", ...parts.credentials].join(", ");
  const headersOf = createResultHeaders(vary);
  const answering = { status, suggestions, resultErrors: limits.graphql.resultErrors, mask, headersOf };
  const batching = settings.batching === true;
  const plain = createExecuteOperation({ model, limits, ids }, answering);
  const execute = telemetry === undefined ? plain : observeOperation(telemetry, plain);
  const parseBody = createParseRequestBody(limits);
  const documents = { parseBody, checkDocument, findDocument };
  const options = { ...documents, execute, schema, limits, answering, batching, incremental };
  const meter = createMeter(model, limits, { isShown: settings.cost === true, runOnce: parts.runOnce });
  const overHttp = createOverHttp(options);
  const executor = createExecutor({ execute, schema, telemetry, answering });
  const overSse = createOverSse({ ...options, executor, limiter: parts.limiter });
  const varied = (response: HttpResponse): HttpResponse =>
    "Vary" in response.headers ? response : { ...response, headers: { ...response.headers, Vary: vary } };
  const handle = (request: HttpRequest, context: ProtocolContext): MaybePromise<HttpResponse> => {
    const { graphiql } = settings;
    const pages = graphiql !== undefined && mayGetPage(request) ? ([HTML] as const) : [];
    const accepted = negotiateResponseType(request.headers["accept"], pages);
    // HTML is acceptable only if there is a page.
    if (accepted === HTML) return servePage(graphiql as GraphiqlPage, { title, credentials }, request);
    if (isRead(request.method)) refuseCrossSite(request, parts.isAllowedOrigin);
    const header = request.headers["idempotency-key"];
    const keyed = header === undefined ? context : { ...context, idempotencyKey: parseIdempotencyKey(header) };
    const versioned = wantsVersion(request) ? { ...keyed, wantsVersion: true } : keyed;
    const metered = meter(versioned);
    if (isSseRequest(request, accepted)) return overSse(request, { ...metered, during: context.during }, accepted);
    return overHttp(request, metered, accepted);
  };
  return {
    name: "graphql",
    routes: [{ path: PATH, methods: METHODS }],
    serves: { path: PATH },
    methodsAt: () => METHODS,
    refuse: (error) => varied(serializeRefusal(error)),
    handle: (request, context) =>
      mapMaybePromise(handle(request, context), (response) =>
        varied(request.method === "HEAD" ? withoutBody(response) : response),
      ),
    sockets: (given) => {
      const shared: ConnectionOptions = { ...options, ...given, meter, executor };
      return {
        path: PATH,
        subprotocol: SUBPROTOCOL,
        open: (socket, request) => new WebSocketConnection(socket, request, shared),
      };
    },
  };
}

/** Whether the client requested the version of a row (RFC 7240). Caches may store responses to GET, so they have none. */
function wantsVersion({ method, headers }: HttpRequest): boolean {
  const { prefer } = headers;
  return prefer !== undefined && method === "POST" && /(?:^|,)\s*row-version\s*(?:[,;]|$)/i.test(String(prefer));
}
