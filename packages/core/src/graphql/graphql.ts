import type { GraphQLSchema } from "graphql";
import type { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpResponse } from "../message/message.ts";
import type { Protocol, SocketProtocol } from "../message/protocol.ts";
import type { Model } from "../model/model.ts";
import { createCaller } from "../operation/create-caller.ts";
import type { Limits } from "../limits/limits.ts";
import { extendWithHost } from "./extend/extend-schema.ts";
import type { GraphqlExtension } from "./extend/extension.ts";
import type { Host } from "./extend/host.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { GLOBAL_IDS, PLAIN_IDS } from "./ids.ts";
import { createExecuteOperation } from "./execute/execute-operation.ts";
import { observeOperation } from "./execute/observe-operation.ts";
import { withIncremental } from "./incremental/directives.ts";
import { isProduction } from "../util/is-production.ts";
import { mapMaybePromise } from "../util/maybe-promise.ts";
import { createMeter } from "./meter.ts";
import { createPersisted } from "./persisted/persisted-documents.ts";
import { buildSchema } from "./schema/build-schema.ts";
import type { GraphqlSettings } from "./settings.ts";
import { refuseCrossSite } from "./transport/cross-site.ts";
import { createExecutor } from "./transport/executor.ts";
import { createDocumentCache } from "./transport/create-document-cache.ts";
import { isPageRequest, servePage } from "./transport/graphiql.ts";
import { createOverHttp, type HandleGraphql } from "./transport/over-http.ts";
import { createOverSse, isSseRequest } from "./transport/sse/over-sse.ts";
import { serializeRefusal } from "./transport/serialize-result.ts";
import { WebSocketConnection, SUBPROTOCOL } from "./transport/ws/websocket-connection.ts";
import type { ConnectionOptions } from "./transport/ws/connection-options.ts";

export interface GraphqlOptions {
  readonly model: Model;
  readonly limits: Limits;
  /** Title of the API. */
  readonly title: string;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
  readonly settings: GraphqlSettings;
  readonly extensions: readonly GraphqlExtension[];
  readonly host: Omit<Host, "model" | "limits" | "ids">;
  readonly telemetry: Telemetry | undefined;
  readonly limiter: RateLimiter | undefined;
  /** Whether pages of this origin may read responses. */
  readonly isAllowedOrigin: (origin: string) => boolean;
}

export interface Graphql extends Protocol {
  /** For other servers, which reject `@defer` and `@stream` in a schema unless they execute them. */
  readonly schema: GraphQLSchema;
  /** The schema that this API serves. */
  readonly served: GraphQLSchema;
  /** Creates the `graphql-transport-ws` protocol. */
  readonly sockets: (options: SocketOptions) => SocketProtocol;
}

/** The options that the server of the sockets provides. */
export type SocketOptions = Pick<
  ConnectionOptions,
  "run" | "authenticate" | "log" | "refusal" | "during" | "turn" | "hold" | "malformed"
>;

const PATH = "/graphql";
const METHODS: readonly string[] = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** The GraphQL half of an API: its schema, and its transports. */
export function createGraphql(parts: GraphqlOptions): Graphql {
  const { model, limits, title, settings, telemetry } = parts;
  const credentials = parts.credentials.filter((header) => header !== "Cookie");
  const { introspection = !isProduction(), suggestions = introspection, status = "classic" } = settings;
  const ids = settings.globalIds === true ? GLOBAL_IDS : PLAIN_IDS;
  const derived = buildSchema(model, limits, ids);
  const whole = extendWithHost(derived, parts.extensions, { model, limits, ids, ...parts.host });
  const incremental = settings.incremental === true;
  const schema = incremental ? withIncremental(whole) : whole;
  const checkDocument = createDocumentCache(schema, limits, { introspection, suggestions });
  const findDocument = createPersisted(settings.persisted ?? {}, checkDocument, limits);
  const { maskError } = parts.host;
  const mask = (thrown: unknown, caller = createCaller(null, undefined)): BifocalError => maskError(thrown, caller);
  const answering = { status, suggestions, resultErrors: limits.graphql.resultErrors, mask };
  const batching = settings.batching === true;
  const execute = observeOperation(telemetry, createExecuteOperation({ model, limits, ids }, answering));
  const options = { execute, schema, checkDocument, findDocument, limits, answering, batching, incremental };
  const meter = createMeter(model, limits, settings.cost === true);
  const overHttp = createOverHttp(options);
  const executor = createExecutor({ execute, schema, telemetry, answering });
  const overSse = createOverSse({ ...options, executor, limiter: parts.limiter });
  // Each response depends on the caller.
  const vary = ["Accept", ...parts.credentials].join(", ");
  const varied = (response: HttpResponse): HttpResponse => ({
    ...response,
    headers: { ...response.headers, Vary: vary },
  });
  const handle: HandleGraphql = (request, context) => {
    if (settings.graphiql !== undefined && isPageRequest(request)) {
      return servePage(settings.graphiql, { title, credentials }, request);
    }
    if (request.method === "GET") refuseCrossSite(request, parts.isAllowedOrigin);
    return (isSseRequest(request) ? overSse : overHttp)(request, meter(context));
  };
  return {
    name: "graphql",
    routes: [{ path: PATH, methods: METHODS }],
    matches: (path) => path === PATH,
    methodsAt: () => METHODS,
    schema: whole,
    served: schema,
    refuse: (error) => varied(serializeRefusal(error)),
    handle: (request, context) => mapMaybePromise(handle(request, context), varied),
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
