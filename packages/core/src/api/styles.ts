import type { ApiOptions } from "./api-types.ts";
import type { Authentication } from "../auth/authentication.ts";
import type { GraphqlExtension } from "../graphql/extend/extension.ts";
import { createGraphql, type Graphql, type GraphqlOptions } from "../graphql/graphql.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { Cors } from "../http/cors.ts";
import type { Model } from "../model/model.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import type { OpenStores } from "./open-stores.ts";
import { DEFAULT_FORMATS } from "../rest/formats/formats.ts";
import { memoryIdempotency } from "../rest/idempotency/idempotency-store.ts";
import type { ApiInfo } from "../rest/openapi/openapi-types.ts";
import type { ReferencePage } from "../rest/routes/reference.ts";
import { createRest, type Rest } from "../rest/rest.ts";
import { writesOf } from "../store/writes-of.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { omitUndefined } from "../util/omit-undefined.ts";
import { isProduction } from "../util/is-production.ts";

const DAY = 86_400;

export interface StyleParts {
  readonly model: Model;
  readonly limits: Limits;
  readonly authentication: Authentication;
  readonly stores: OpenStores;
  readonly telemetry: Telemetry | undefined;
  readonly cors: Cors | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly host: GraphqlOptions["host"];
}

/** REST and GraphQL of an API, and the settings that other parts need. */
export interface Styles {
  readonly rest: Rest;
  readonly graphql: Graphql;
  readonly graphqlSettings: GraphqlSettings;
  /** The reference page, if it is served. */
  readonly docs: ReferencePage | undefined;
}

/** Creates REST and GraphQL for a model, from the options of the API. */
export function createStyles(options: Omit<ApiOptions<never>, "resources">, parts: StyleParts): Styles {
  const { model, limits, authentication, stores, telemetry, cors, limiter, host } = parts;
  const { developerPages = !isProduction(), openapi: openapiVersion = "3.1" } = options;
  const info: ApiInfo = { title: "API", version: "0.0.0", ...omitUndefined<Partial<ApiInfo>>(options.info ?? {}) };
  const docs = developerPages ? options.docs : undefined;
  const graphiql = developerPages ? options.graphql?.graphiql : undefined;
  const { headers: credentials, schemes, documents } = authentication;
  const rest = createRest({
    idempotency: {
      store: options.idempotency?.store ?? memoryIdempotency(),
      ttl: options.idempotency?.ttl ?? DAY,
    },
    writesOf: (resource) => writesOf(stores.storeOf(resource.name), resource),
    docs,
    assets: graphiql?.assets ?? {},
    model,
    limits,
    info,
    schemes,
    documents,
    formats: options.formats ?? DEFAULT_FORMATS,
    credentials,
    openapiVersion,
  });
  const { extend = [], graphiql: _, ...settings } = options.graphql ?? {};
  const graphqlSettings = { ...omitUndefined({ introspection: options.introspection, graphiql }), ...settings };
  const graphql = createGraphql({
    model,
    limits,
    title: info.title,
    credentials,
    settings: graphqlSettings,
    extensions: (Array.isArray(extend) ? extend : [extend]) as readonly GraphqlExtension[],
    host,
    telemetry,
    limiter,
    isAllowedOrigin: (origin) => cors?.allows(origin) === true,
  });
  return { rest, graphql, graphqlSettings, docs };
}
