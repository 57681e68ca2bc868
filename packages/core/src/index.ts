export type { AnyApi } from "./http/any-api.ts";
export type { Api, ApiOptions, LocalAs, TransactionOptions } from "./api/api-types.ts";
export { defineApi } from "./api/api.ts";
export type {
  ClientForm,
  GraphqlForm,
  GraphqlSource,
  NotExpressible,
  RestForm,
  RestSource,
  Translate,
  Translation,
  TranslationSource,
} from "./api/translate/translation.ts";
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
export type { Authenticator } from "./auth/authenticator.ts";
export { principalFrom, type PrincipalFromOptions } from "./auth/principal-from.ts";
export type { Action, ActionContext } from "./definition/actions.ts";
export type { CodeContext, Locals } from "./definition/code-context.ts";
export {
  computed,
  type ComputedField,
  type FromOptions,
  type LoadOptions,
} from "./definition/computed.ts";
export { allOf, anyOf, through, unless } from "./definition/compose-rules.ts";
export { decimal, type DecimalOptions, type DecimalSchema } from "./definition/decimal.ts";
export { defineResource, type Resource } from "./definition/define-resource.ts";
export type { Deprecation } from "./definition/deprecation.ts";
export type { FieldShape, IdOf, InputOf, RowOf } from "./definition/fields.ts";
export type { AnyFilter, FilterOf, ManyFilter } from "./definition/filters.ts";
export { generate, type Generator, now, principalId, sequence, updatedNow, uuid } from "./definition/generated.ts";
export type { QueriedRows, Query, QueryContext } from "./definition/queries.ts";
export type { ReadContext, ReadLocals, ReadOnlyRowStore, ReadOnlyRowStores } from "./definition/read-context.ts";
export type { LoadContext } from "./definition/load-context.ts";
export type {
  CallOptions,
  DeleteOptions,
  ListOptions,
  LocalChange,
  LocalCurrent,
  LivePage,
  LocalPage,
  RelationGroups,
  RelationQuery,
  WatchOptions,
  WriteOptions,
} from "./definition/local-query.ts";
export type { Client, ClientCalls, ClientChange, Style, VersionOf } from "./definition/client.ts";
export type {
  ClientAction,
  ClientDescription,
  ClientField,
  ClientQuery,
  ClientRelation,
  ClientResource,
  ClientRootField,
  UnionForm,
} from "./api/client-description-types.ts";
export type { Conversion } from "./model/shape/conversion.ts";
export type { HistoryEntry, HistoryOptions } from "./definition/history-entry.ts";
export type { CallsOf, Local, LocalResource, SystemLocal } from "./definition/local.ts";
export type { HookContext, Hooks } from "./definition/hooks.ts";
export type { OperationName, StyleOperations } from "./definition/operation-names.ts";
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
export type { Access, BulkLimits, CachePolicy, ComputedRules, ResourceConfig } from "./definition/resource-config.ts";
export { avg, count, max, min, type RelatedField, sum } from "./definition/related-fields.ts";
export type { ActionShape, ResourceTypes } from "./definition/resource-types.ts";
export type { AnyResource, RuleOf, TypesOf } from "./definition/resource.ts";
export type { Rule, RuleAnswer, RuleContext } from "./definition/rule.ts";
export { allow, deny, hasRole, hasScope, owner, signedIn } from "./definition/rules.ts";
export { compose, type Composed, type Trait, trait } from "./definition/traits.ts";
export type { TypeMistake } from "./definition/type-error.ts";
export { BifocalError, isBifocalError, type Issue } from "./errors/bifocal-error.ts";
export { type ErrorCode, ERROR_STATUS } from "./errors/codes.ts";
export { DefinitionError, type DefinitionMistake } from "./errors/definition-error.ts";
export type { Bus } from "./events/bus.ts";
export type { ChangeEvent } from "./events/change-event.ts";
export { memoryBus } from "./events/bus.ts";
export type { Model, Row } from "./model/model.ts";
export { DEFAULT_LIMITS, type LimitOptions, type Limits } from "./limits/limits.ts";
export type { Observer } from "./operation/observer.ts";
export type { CorsOptions } from "./http/cors.ts";
export type { ApiInfo } from "./rest/openapi/openapi-types.ts";
export { type IdempotencyStore, memoryIdempotency } from "./lowering/idempotency/idempotency-store.ts";
export type { GraphqlSettings } from "./graphql/settings.ts";
export type { Warning, WarningSettings } from "./errors/warning.ts";
export type { RateLimiter } from "./limits/rate-limiter.ts";
export { functionStore } from "./store/function-store.ts";
export type { FunctionPage, FunctionQuery, ResourceFunctions } from "./store/functions/resource-functions.ts";
export { memoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";

export { type Store } from "./store/store.ts";
export type { Telemetry } from "./telemetry/telemetry.ts";
export type { Json, JsonObject } from "./util/json.ts";
export { consoleLog, type Log, silentLog } from "./util/log.ts";
export type { RowStore, RowStores } from "./definition/row-store.ts";
export type { UntypedCalls } from "./definition/untyped-calls.ts";
