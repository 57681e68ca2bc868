import type { Authentication } from "../auth/authentication.ts";
import type { ApiSchema } from "../graphql/api-schema.ts";
import { endpointPage } from "../graphql/transport/endpoint-page.ts";
import type { GraphiqlPage } from "../graphql/transport/graphiql.ts";
import { createGraphql, type Graphql, type GraphqlOptions } from "../graphql/graphql.ts";
import type { Cors } from "../http/cors.ts";
import type { Model } from "../model/model.ts";
import { offeredResources } from "../model/offered.ts";
import { resourceOf } from "../model/resource-of.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import type { OpenStores } from "./open-stores.ts";
import type { IdempotencySettings } from "../lowering/idempotency/run-with-key.ts";
import type { RunOnce } from "../graphql/idempotent-run.ts";
import { createRest, type Rest } from "../rest/rest.ts";
import type { WriteSamples } from "../rest/openapi/openapi-types.ts";
import type { PrintRequest } from "../rest/request/print-request.ts";
import { SCHEMA_PATH } from "../rest/routes/schema-path.ts";
import type { TranslateBody } from "../rest/routes/translation-route.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ClientDescription } from "./client-description-types.ts";
import { describeForClients } from "./client-description.ts";
import { describeGraphql } from "./describe-graphql.ts";
import { readAccess } from "./read-access.ts";
import type { JsonObject } from "../util/json.ts";
import type { StyleSettings } from "./style-settings.ts";

export interface StyleParts {
  readonly settings: StyleSettings;
  readonly idempotency: IdempotencySettings;
  readonly runOnce: RunOnce;
  readonly schema: ApiSchema;
  readonly model: Model;
  readonly limits: Limits;
  readonly authentication: Authentication;
  readonly stores: OpenStores;
  readonly telemetry: Telemetry | undefined;
  readonly cors: Cors | undefined;
  readonly limiter: RateLimiter | undefined;
  readonly maskError: GraphqlOptions["maskError"];
  readonly printRequest: PrintRequest;
  readonly writeSamples: WriteSamples;
  readonly translateBody: TranslateBody;
}

/** Creates the protocols of an API: REST, and GraphQL. */
export function createStyles(parts: StyleParts): { readonly rest: Rest; readonly graphql: Graphql } {
  const { settings, model, limits, authentication, stores, telemetry, cors, limiter } = parts;
  const { info, formats, openapiVersion, docs, documents } = settings;
  const { headers: credentials, schemes } = authentication;
  const { graphiql } = settings.graphql;
  const describeClient = (): ClientDescription => {
    const description = describeForClients({ model, schema: parts.schema.served, settings: settings.graphql });
    const shown = offeredResources(model);
    const resources = Object.entries(description.resources).filter(([name]) => shown.has(resourceOf(model, name)));
    return { ...description, resources: Object.fromEntries(resources) };
  };
  const servesSchema = settings.servesSchema && formats.some((format) => format.schema !== undefined);
  const rest = createRest({
    idempotency: parts.idempotency,
    writesOf: stores.writesOf,
    docs,
    developerPages: {
      ...(graphiql === undefined ? {} : { [graphiql === endpointPage ? "GraphQL" : "GraphiQL"]: "/graphql" }),
      ...(docs === undefined ? {} : { "API reference": "/docs" }),
      ...(servesSchema ? { [settings.explains ? "Schema and access" : "Schema"]: SCHEMA_PATH } : {}),
      ...(settings.console === undefined ? {} : { Console: "/console" }),
    },
    assets: { ...graphiql?.assets, ...settings.console?.assets },
    model,
    limits,
    info,
    schemes,
    documents: {
      ...Object.fromEntries(Object.entries(authentication.documents).map(([path, document]) => [path, () => document])),
      "/client.json": () => describeClient() as unknown as JsonObject,
    },
    formats,
    credentials,
    openapiVersion,
    printRequest: parts.printRequest,
    writeSamples: parts.writeSamples,
    translateBody: settings.servesTranslations ? parts.translateBody : undefined,
    console: settings.console,
    explains: settings.explains,
    schema: servesSchema
      ? {
          describeGraphql: () => describeGraphql({ model, schema: parts.schema.served, client: describeClient() }),
          readAccess: settings.explains ? (caller, wanted) => readAccess(model, caller, wanted) : undefined,
        }
      : undefined,
  });
  const graphql = createGraphql({
    model,
    limits,
    title: info.title,
    credentials,
    schema: parts.schema,
    runOnce: parts.runOnce,
    settings: graphiql === endpointPage ? { ...settings.graphql, graphiql: framedPage(rest) } : settings.graphql,
    documents,
    maskError: parts.maskError,
    telemetry,
    limiter,
    isAllowedOrigin: (origin) => cors?.allows(origin) === true,
  });
  return { rest, graphql };
}

/** Returns the page at `/graphql` like the other pages of the API, if one of its formats writes pages. */
function framedPage({ endpointPage: framed }: Rest): GraphiqlPage {
  if (framed === undefined) return endpointPage;
  return { ...framed, page: ({ endpoint }) => framed.page(endpoint.slice(0, -"/graphql".length)) };
}
