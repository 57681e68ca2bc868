import type { Authentication } from "../auth/authentication.ts";
import type { ApiSchema } from "../graphql/api-schema.ts";
import { createGraphql, type Graphql, type GraphqlOptions } from "../graphql/graphql.ts";
import type { Cors } from "../http/cors.ts";
import type { Model } from "../model/model.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import type { OpenStores } from "./open-stores.ts";
import { memoryIdempotency } from "../rest/idempotency/idempotency-store.ts";
import type { IdempotencySettings } from "../rest/idempotency/with-idempotency.ts";
import { createRest, type Rest } from "../rest/rest.ts";
import { writesOf } from "../store/writes-of.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { StyleSettings } from "./style-settings.ts";

const DAY = 86_400;

export interface StyleParts {
  readonly settings: StyleSettings;
  readonly idempotency: Partial<IdempotencySettings> | undefined;
  readonly schema: ApiSchema;
  readonly model: Model;
  readonly limits: Limits;
  readonly authentication: Authentication;
  readonly stores: OpenStores;
  readonly telemetry: Telemetry | undefined;
  readonly cors: Cors | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly maskError: GraphqlOptions["maskError"];
}

/** Creates the protocols of an API: REST, and GraphQL. */
export function createStyles(parts: StyleParts): { readonly rest: Rest; readonly graphql: Graphql } {
  const { settings, model, limits, authentication, stores, telemetry, cors, limiter } = parts;
  const { info, formats, openapiVersion, docs, documents } = settings;
  const { headers: credentials, schemes } = authentication;
  const rest = createRest({
    idempotency: {
      store: parts.idempotency?.store ?? memoryIdempotency(),
      ttl: parts.idempotency?.ttl ?? DAY,
    },
    writesOf: (resource) => writesOf(stores.byResource.get(resource.name) ?? stores.main, resource),
    docs,
    assets: settings.graphql.graphiql?.assets ?? {},
    model,
    limits,
    info,
    schemes,
    documents: authentication.documents,
    formats,
    credentials,
    openapiVersion,
  });
  const graphql = createGraphql({
    model,
    limits,
    title: info.title,
    credentials,
    schema: parts.schema,
    settings: settings.graphql,
    documents,
    maskError: parts.maskError,
    telemetry,
    limiter,
    isAllowedOrigin: (origin) => cors?.allows(origin) === true,
  });
  return { rest, graphql };
}
