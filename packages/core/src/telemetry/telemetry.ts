import type { DocumentNode } from "graphql";
import type { ChangeEvent } from "../events/change-event.ts";
import type { HttpResponse } from "../message/message.ts";
import type { RequestActivity } from "../message/protocol.ts";
import type { Operation, WatchOperation } from "../operation/operation.ts";
import type { Change, Outcome } from "../operation/outcome.ts";
import type { Caller } from "../operation/run.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/**
 * Observes the work of an API, for all protocols. Each member is called around a piece of work: it must call `work`
 * once, return or throw its result unchanged, and throw no errors of its own. Without telemetry, nothing is called.
 */
export interface Telemetry {
  /**
   * Called around an HTTP request, from its arrival until its response is known. The result is `null` if the path is
   * not part of the API.
   */
  readonly request: (
    activity: RequestActivity,
    work: () => MaybePromise<HttpResponse | null>,
  ) => MaybePromise<HttpResponse | null>;
  /** Called around the authentication of a request, if the API has authenticators. */
  readonly authentication: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Called around the execution of a valid GraphQL document. For a subscription, it ends when the subscription has
   * started.
   */
  readonly document: <T>(activity: DocumentActivity<T>, work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Called around an operation of any protocol. */
  readonly operation: (activity: OperationActivity, work: () => MaybePromise<Outcome>) => MaybePromise<Outcome>;
  /** Called around a call of a store. */
  readonly storeCall: <T>(activity: StoreActivity<T>, work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Called within its operation when a subscription starts. */
  readonly subscription: (operation: WatchOperation) => SubscriptionWatch;
  /**
   * Called around reading a change, once for all subscribers that see the same data. The result is `undefined` if they
   * cannot see the change.
   */
  readonly delivery: <T>(activity: DeliveryActivity, work: () => Promise<T | undefined>) => Promise<T | undefined>;
}

export interface DocumentActivity<T> {
  readonly type: "query" | "mutation" | "subscription";
  /** The name that the client gave the operation. */
  readonly name: string | undefined;
  readonly document: DocumentNode;
  /** The `extensions` of a document that has no HTTP request of its own. They may contain a trace context. */
  readonly carrier: Readonly<Record<string, unknown>> | undefined;
  /** Returns the code of the first error in the result, preferring server errors. */
  readonly failureOf: (result: T) => string | undefined;
}

export interface OperationActivity {
  readonly operation: Operation;
  readonly caller: Caller;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

export type StoreMethod =
  | "byKeys"
  | "list"
  | "listPer"
  | "listTexts"
  | "aggregate"
  | "aggregatePer"
  | "insert"
  | "insertAtOnce"
  | "lock"
  | "update"
  | "delete"
  | "link"
  | "unlink"
  | "readReceipt"
  | "writeReceipt"
  | "appendChanges"
  | "transaction";

export interface StoreActivity<T> {
  readonly method: StoreMethod;
  /** The name of the resource. Undefined for transactions, receipts and changes. */
  readonly resource: string | undefined;
  /** Returns the number of rows that were read or written. Undefined for calls that don't affect rows. */
  readonly rowsOf: ((result: T) => number) | undefined;
}

/** Observes one subscription from start to end. */
export interface SubscriptionWatch {
  /** Called for each change that is delivered to the subscriber. */
  readonly delivered: (kind: Change["kind"]) => void;
  /** Called once. */
  readonly end: () => void;
}

export interface DeliveryActivity {
  readonly event: ChangeEvent;
  /** The subscriptions that wait for the change. */
  readonly subscriptions: Iterable<SubscriptionWatch>;
}
