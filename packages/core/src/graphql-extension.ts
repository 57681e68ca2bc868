// Types of GraphQL settings and extensions: `@bifocal/core/graphql`.
export type {
  ExtendSettings,
  GraphqlExtension,
  HostContext,
  HostField,
  HostResolver,
  HostRow,
  HostTypeField,
} from "./graphql/extend/extension.ts";
export type { Manifest } from "./graphql/persisted/persisted-documents.ts";
export type { PersistedSettings } from "./graphql/persisted/persisted-documents.ts";
export type { StatusCodes } from "./graphql/transport/serialize-result.ts";
