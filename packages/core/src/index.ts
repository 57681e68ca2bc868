export type { AnyApi } from "./http/any-api.ts";
export type { Api, ApiOptions, TransactionOptions } from "./api/api-types.ts";
export { defineApi } from "./api/api.ts";
export { apiKeyResource, type ApiKeyResourceOptions } from "./auth/api-keys/api-key-resource.ts";
export { apiKeys } from "./auth/api-keys/api-keys.ts";
export type { ApiKey, KeyRing, KeyStore, StoredKey } from "./auth/api-keys/key-store.ts";
export {
  createApiKey,
  type IssuedApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  type RotateOptions,
  type WithKeys,
} from "./auth/api-keys/manage-keys.ts";
export type { StoredKeysAuthenticator, StoredKeysOptions } from "./auth/api-keys/stored-keys.ts";
export type {
  AuthHost,
  Authenticated,
  Authenticator,
  Credentials,
  CredentialSource,
  TrustedRows,
} from "./auth/authenticator.ts";
export { principalFrom, type PrincipalFromOptions } from "./auth/principal-from.ts";
export type { Action, ActionContext, RowStore } from "./definition/actions.ts";
export { and, not, or, through } from "./definition/compose-rules.ts";
export { defineResource } from "./definition/define-resource.ts";
export type { FieldShape, InputOf, RowOf } from "./definition/fields.ts";
export type { AnyFilter, FilterOf, ManyFilter } from "./definition/filters.ts";
export { generate, type Generator, now, sequence, updatedNow, uuid } from "./definition/generated.ts";
export type { Local, LocalChange, LocalCurrent, LocalPage, LocalResource } from "./definition/local.ts";
export type { HookContext, Hooks } from "./definition/hooks.ts";
export { asSystem, type Principal, type SystemPrincipal } from "./definition/principal.ts";
export {
  type BelongsTo,
  belongsTo,
  type HasMany,
  hasMany,
  type HasOne,
  hasOne,
  type ManyToMany,
  manyToMany,
  type OnDelete,
  type Relation,
  type RelationShape,
} from "./definition/relations.ts";
export type {
  Access,
  AnyResource,
  CachePolicy,
  BulkLimits,
  Deprecation,
  IdOf,
  Resource,
  ResourceConfig,
  RuleOf,
  TypesOf,
} from "./definition/resource.ts";
export {
  allow,
  deny,
  hasRole,
  hasScope,
  owner,
  type Rule,
  type RuleAnswer,
  type RuleContext,
  signedIn,
} from "./definition/rules.ts";
export type { TypeMistake } from "./definition/type-error.ts";
export { BifocalError, isBifocalError, type Issue } from "./errors/bifocal-error.ts";
export { type ErrorCode, STATUS } from "./errors/codes.ts";
export { DefinitionError, type DefinitionMistake } from "./errors/definition-error.ts";
export type { Bus, BusListener } from "./events/bus.ts";
export type { ChangeEvent, EventDraft } from "./events/change-event.ts";
export type { ChangeLog, LogHead, LogPage, LogQuery, LoggedChange } from "./events/change-log.ts";
export { memoryBus } from "./events/memory-bus.ts";
export type { FieldModel, Key, Model, RelationModel, ResourceModel, Row } from "./model/model.ts";
export type { WireType } from "./model/wire-type.ts";
export type { Filter } from "./operation/filter.ts";
export { DEFAULT_LIMITS, type LimitOptions, type Limits } from "./limits/limits.ts";
export type { ChangeKind, Operation } from "./operation/operation.ts";
export type { Observer } from "./operation/observer.ts";
export type { Change, ChangeStream, Node, Outcome, PageNode } from "./operation/outcome.ts";
export type { CorsOptions } from "./http/cors.ts";
export { csv } from "./rest/formats/csv.ts";
export {
  type Format,
  type ItemView,
  type ListView,
  type ProblemFormat,
  rowToJson,
  type RowView,
  type StreamWriter,
  type View,
} from "./rest/formats/format.ts";
export type { ApiInfo } from "./rest/openapi/openapi-types.ts";
export { DEFAULT_FORMATS } from "./rest/formats/formats.ts";
export { hal } from "./rest/formats/hal.ts";
export { htmlPages } from "./rest/formats/html/html.ts";
export { jsonApi } from "./rest/json-api/json-api.ts";
export { ndjson } from "./rest/formats/ndjson.ts";
export { xml } from "./rest/formats/xml.ts";
export {
  type Claim,
  type ClaimResult,
  type IdempotencyStore,
  type KeptAnswer,
  memoryIdempotency,
} from "./rest/idempotency/idempotency-store.ts";
export type { Asset, WebPage } from "./message/message.ts";
export type { Manifest } from "./graphql/persisted/manifest.ts";
export type { PersistedSettings } from "./graphql/persisted/persisted-documents.ts";
export type { GraphqlSettings } from "./graphql/settings.ts";
export type {
  ExtendSettings,
  GraphqlExtension,
  HostContext,
  HostField,
  HostResolver,
  HostRow,
  HostTypeField,
} from "./graphql/extend/extension.ts";
export type { StatusCodes } from "./graphql/transport/status.ts";
export type { GraphiqlPage, GraphiqlView } from "./graphql/transport/graphiql.ts";
export type { ReferencePage, ReferenceView } from "./rest/routes/reference.ts";
export type { Warning, WarningSettings } from "./errors/warning.ts";
export { printOperation } from "./operation/print-operation.ts";
export type { Allowance } from "./operation/allowance.ts";
export type { RateLimiter, Spender } from "./limits/rate-limiter.ts";
export type { Caller, Run } from "./operation/run.ts";
export type { Sort } from "./operation/sort.ts";
export { functionStore } from "./store/function-store.ts";
export type { FunctionPage, FunctionQuery, ResourceFunctions } from "./store/functions/resource-functions.ts";
export { memoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";

export {
  type InsertCommand,
  type KeysQuery,
  type LinkCommand,
  type ListQuery,
  type MaybePromise,
  type PerParentQuery,
  type Position,
  type Receipt,
  type RemoveCommand,
  type RemoveResult,
  type Store,
  type StoreCapabilities,
  type StoreContext,
  type StoreLoad,
  type StorePage,
  type UpdateCommand,
  type WriteResult,
} from "./store/store.ts";
export type { RequestActivity } from "./message/protocol.ts";
export { StoreConflict } from "./errors/store-conflict.ts";
export type {
  DeliveryActivity,
  DocumentActivity,
  OperationActivity,
  StoreActivity,
  StoreMethod,
  SubscriptionWatch,
  Telemetry,
} from "./telemetry/telemetry.ts";
export type { Json, JsonObject } from "./util/json.ts";
export { consoleLog, type Log, silentLog } from "./util/log.ts";
