import type { GraphQLSchema } from "graphql";
import type { Limits } from "../limits/limits.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import { extendWithHost } from "./extend/extend-schema.ts";
import type { GraphqlExtension } from "./extend/extension.ts";
import type { Host } from "./extend/host.ts";
import { GLOBAL_IDS, type Ids, PLAIN_IDS } from "./ids.ts";
import { withIncremental } from "./incremental/directives.ts";
import { buildSchema } from "./schema/build-schema.ts";
import { requireQuery } from "./schema/require-query.ts";
import type { GraphqlSettings } from "./settings.ts";

export interface ApiSchemaOptions {
  readonly model: Model;
  readonly limits: Limits;
  /** Returns the writes that the store of a resource supports. The schema has no mutations for others. */
  readonly writesOf: (resource: ResourceModel) => StoreWrites;
  readonly settings: Pick<GraphqlSettings, "globalIds" | "incremental" | "nonNullConnections">;
  readonly extensions: readonly GraphqlExtension[];
  readonly host: Omit<Host, "model" | "limits" | "ids">;
}

/** The GraphQL schema of an API, with the extensions of its host. */
export interface ApiSchema {
  /** For other servers, which reject `@defer` and `@stream` in a schema unless they execute them. */
  readonly plain: GraphQLSchema;
  /** The schema that the API serves. */
  readonly served: GraphQLSchema;
  readonly ids: Ids;
}

/** Builds the schema when an API is defined. Throws a `DefinitionError` for names that collide and for wrong extensions. */
export function createApiSchema(options: ApiSchemaOptions): ApiSchema {
  const { model, limits, writesOf, settings, extensions, host } = options;
  const ids = settings.globalIds === true ? GLOBAL_IDS : PLAIN_IDS;
  const derived = buildSchema(model, limits, {
    ids,
    writesOf,
    nonNullConnections: settings.nonNullConnections === true,
  });
  const plain =
    extensions.length === 0 ? derived : extendWithHost(derived, extensions, { model, limits, ids, ...host });
  requireQuery(plain);
  return { plain, served: settings.incremental === true ? withIncremental(plain) : plain, ids };
}
