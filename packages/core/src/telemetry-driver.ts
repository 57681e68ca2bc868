// The entry point for telemetry: `@bifocal/core/telemetry`.
export type { Principal } from "./definition/principal.ts";
export { type ErrorCode, isServerError, ERROR_STATUS } from "./errors/codes.ts";
export { errorCodeOf } from "./errors/error-code-of.ts";
export { type HttpRequest, type HttpResponse, isStream } from "./message/message.ts";
export type { RequestActivity } from "./message/protocol.ts";
export type { ChangeKind, Operation, WatchOperation } from "./operation/operation.ts";
export type { Outcome } from "./operation/outcome.ts";
export type {
  DeliveryActivity,
  DocumentActivity,
  OperationActivity,
  StoreActivity,
  StoreMethod,
  SubscriptionWatch,
  Telemetry,
} from "./telemetry/telemetry.ts";
export type { MaybePromise } from "./util/maybe-promise.ts";
