// The entry point for store drivers: `@bifocal/core/store`.
export { BifocalError, isBifocalError } from "./errors/bifocal-error.ts";
export type { Bus, BusListener } from "./events/bus.ts";
export type { EventDraft } from "./events/change-event.ts";
export { createLogName } from "./events/event-id.ts";
export type { ChangeLog, LogHead, LogPage, LogQuery, LoggedChange } from "./events/change-log.ts";
export type { FieldModel, Key, LinkTable, Model, RelationModel, ResourceModel, Row } from "./model/model.ts";
export { type Operator, OPERATORS } from "./definition/operators.ts";
export { resolveModel } from "./model/resolve-model.ts";
export {
  characterClass,
  foldWords,
  hasWord,
  isLongest,
  isSeparator,
  MAX_SEARCHED_TEXT,
  MAX_WORD,
  wordsOf,
} from "./model/search-words.ts";
export type { WireType } from "./model/wire-type.ts";
export type { CompareFilter, Filter, RelatedFilter, RelatedValue } from "./operation/filter.ts";
export { missingReference, type Token, tokenOf } from "./model/reference.ts";
export { keyOf, keyToken } from "./operation/key.ts";
export type { Precondition } from "./operation/operation.ts";
export type { StoreWrites } from "./model/store-writes.ts";
export type { Scored, Sort, SortTerm } from "./operation/sort.ts";
export { type FillOptions, type FillProgress, fillStore } from "./store/fill-store.ts";
export type { FieldText, RelatedText, TextPart, TextShape } from "./operation/text-shape.ts";
export { averageFrom } from "./store/aggregate/average-from.ts";
export { compareAsDecimal } from "./store/decimal-fields.ts";
export {
  addDecimals,
  canonicalDecimal,
  type Decimal,
  type DecimalFormat,
  divideDecimal,
  isDecimal,
  parseDecimal,
  printDecimal,
} from "./util/decimal.ts";
export { nextVersion } from "./store/next-version.ts";
export type { ApplyOptions, SchemaPlan, SchemaStep, SchemaTools, SchemaUse } from "./store/schema-tools.ts";
export type { StoreUse, WithStores } from "./store/store-use.ts";
export type { GroupTerm, Measure } from "./model/measure.ts";
export {
  type AggregateQuery,
  type InsertAtOnceCommand,
  type InsertCommand,
  type KeysQuery,
  type NamedRelatedValue,
  type LinkCommand,
  type ListQuery,
  type LockQuery,
  type MaybePromise,
  type ParentGroups,
  type PerParentAggregateQuery,
  type PerParentQuery,
  type RelatedTextQuery,
  type TextPage,
  type TextQuery,
  type Position,
  type Receipt,
  type DeleteCommand,
  type DeleteResult,
  type Store,
  type StoreCapabilities,
  type StoreContext,
  type StoreGroup,
  type StoreGroups,
  type StoreGroupTerm,
  type StoreLoad,
  type StoreMeasure,
  type StorePage,
  type TenantReach,
  throwIfOver,
  type UpdateCommand,
  type WriteResult,
} from "./store/store.ts";
export type { DefinitionMistake } from "./errors/definition-error.ts";
export type { Warning } from "./errors/warning.ts";
export { StoreConflict } from "./errors/store-conflict.ts";
export type { SeedData } from "./store/seed-row.ts";
export type { Json, JsonObject } from "./util/json.ts";
export { foldCase } from "./store/fold-case.ts";
export { rowVersion } from "./model/row-version.ts";
export type { Claim, ClaimResult, KeptAnswer } from "./lowering/idempotency/idempotency-store.ts";
