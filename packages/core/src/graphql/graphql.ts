import type { GraphQLSchema } from "graphql";
import type { Model } from "../model/model.ts";
import type { Limits } from "../operation/limits.ts";
import { extendWithHost } from "./extend/extend-schema.ts";
import type { GraphqlExtension } from "./extend/extension.ts";
import type { Host } from "./extend/host.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { buildSchema } from "./schema/build-schema.ts";
import type { GraphqlSettings } from "./settings.ts";
import { createDocuments } from "./transport/documents.ts";
import { isPageRequest, servePage } from "./transport/graphiql.ts";
import { createOverHttp, type HandleGraphql } from "./transport/over-http.ts";
import { createOverSse, isSseRequest } from "./transport/over-sse.ts";
import { createWsOptions, type WsConnection, type WsServerOptions } from "./transport/over-ws.ts";

export interface GraphqlOptions {
  readonly model: Model;
  readonly limits: Limits;
  /** Whether `__schema` and `__type` may be asked, and errors may suggest names. */
  readonly introspection: boolean;
  /** Of the API. */
  readonly title: string;
  readonly settings: GraphqlSettings;
  readonly extensions: readonly GraphqlExtension[];
  readonly host: Omit<Host, "model" | "limits">;
  readonly telemetry: Telemetry | undefined;
}

export interface Graphql {
  readonly schema: GraphQLSchema;
  /** One request at `/graphql`: over plain HTTP or as server-sent events. */
  readonly handle: HandleGraphql;
  /** What `makeServer` of graphql-ws takes. */
  readonly wsOptions: (connection: WsConnection) => WsServerOptions;
}

/** The GraphQL half of an API: its schema, and its transports. */
export function createGraphql(options: GraphqlOptions): Graphql {
  const { model, limits, introspection, title, settings, telemetry } = options;
  const schema = extendWithHost(buildSchema(model, limits), options.extensions, { model, limits, ...options.host });
  const checkDocument = createDocuments(schema, limits, introspection);
  const overHttp = createOverHttp({ schema, checkDocument, limits, telemetry });
  const overSse = createOverSse({ schema, checkDocument, limits, telemetry });
  return {
    schema,
    handle: (request, context) => {
      if (settings.graphiql !== undefined && isPageRequest(request)) {
        return Promise.resolve(servePage(settings.graphiql, title, request));
      }
      return (isSseRequest(request) ? overSse : overHttp)(request, context);
    },
    wsOptions: (connection) => createWsOptions({ schema, checkDocument, limits, telemetry, ...connection }),
  };
}
