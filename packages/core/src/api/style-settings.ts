import type { ApiOptions } from "./api-types.ts";
import type { GraphqlExtension } from "../graphql/extend/extension.ts";
import { type ManifestTexts, readManifest } from "../graphql/persisted/persisted-documents.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import { endpointPage } from "../graphql/transport/endpoint-page.ts";
import { DEFAULT_FORMATS } from "../rest/formats/formats.ts";
import type { Format } from "../rest/formats/format.ts";
import type { ApiInfo, OpenApiVersion } from "../rest/openapi/openapi-types.ts";
import type { ConsolePage } from "../rest/routes/console.ts";
import type { ReferencePage } from "../rest/routes/reference.ts";
import { DEFAULT_INFO } from "../rest/openapi/default-info.ts";
import { isProduction } from "../util/is-production.ts";
import { omitUndefined } from "../util/omit-undefined.ts";

/** The settings of REST and GraphQL, with their defaults. */
export interface StyleSettings {
  readonly info: ApiInfo;
  readonly formats: readonly Format[];
  readonly openapiVersion: OpenApiVersion;
  /** The reference page, if it is served. */
  readonly docs: ReferencePage | undefined;
  /** Whether developers can translate requests at `POST /-/translate`. */
  readonly servesTranslations: boolean;
  /** Whether translations can contain access rules and SQL. */
  readonly explains: boolean;
  /** Whether pages show the schema in both styles. */
  readonly servesSchema: boolean;
  /** The console, if it is served. */
  readonly console: ConsolePage | undefined;
  readonly graphql: GraphqlSettings & Required<Pick<GraphqlSettings, "introspection" | "suggestions">>;
  readonly extensions: readonly GraphqlExtension[];
  /** The documents that GraphQL clients can request by id. */
  readonly documents: ManifestTexts;
}

/**
 * Resolves the options of REST and GraphQL when an API is defined, because the defaults depend on `NODE_ENV`. Throws a
 * `DefinitionError` for a persisted document with a wrong hash.
 */
export function resolveStyles(options: Omit<ApiOptions<never>, "resources">): StyleSettings {
  const { developerPages = !isProduction(), formats = DEFAULT_FORMATS, openapi = "3.1", docs } = options;
  const { extend = [], graphiql = endpointPage, ...given } = options.graphql ?? {};
  const { introspection = options.introspection ?? !isProduction() } = given;
  const { suggestions = introspection, persisted } = given;
  return {
    info: { ...DEFAULT_INFO, ...omitUndefined<Partial<ApiInfo>>(options.info ?? {}) },
    formats,
    openapiVersion: openapi,
    docs: developerPages ? docs : undefined,
    // Translations name fields and suggest names, as introspection and the console do.
    servesTranslations: developerPages && (introspection || options.console !== undefined),
    explains: developerPages && (options.explain ?? !isProduction()),
    // It shows what introspection does.
    servesSchema: developerPages && introspection,
    console: developerPages ? options.console : undefined,
    graphql: {
      ...given,
      ...(developerPages ? { graphiql } : {}),
      introspection,
      suggestions,
    },
    extensions: (Array.isArray(extend) ? extend : [extend]) as readonly GraphqlExtension[],
    documents: persisted?.documents === undefined ? new Map() : readManifest(persisted.documents),
  };
}
