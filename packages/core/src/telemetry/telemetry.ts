import type { DocumentNode } from "graphql";
import type { ChangeEvent } from "../events/change-event.ts";
import type { HttpResponse } from "../message/message.ts";
import type { RequestActivity } from "../message/protocol.ts";
import type { Operation, WatchOperation } from "../operation/operation.ts";
import type { Change, Outcome } from "../operation/outcome.ts";
import type { Caller } from "../operation/run.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/**
 * What watches an API at work, in all ways in. Each member is called around a piece of work: it calls `work` once, passes on
 * what that answers or throws, and throws nothing of its own. Nothing is called where no telemetry was given.
 */
export interface Telemetry {
  /** Around one HTTP request of either style, from its arrival until its answer is known. `null`: the path was none of the API's. */
  readonly request: (
    activity: RequestActivity,
    work: () => MaybePromise<HttpResponse | null>,
  ) => MaybePromise<HttpResponse | null>;
  /** Around finding out who calls, where the API has authenticators. */
  readonly authentication: <T>(work: () => Promise<T>) => Promise<T>;
  /** Around the execution of one valid GraphQL document; of a subscription until it has begun. */
  readonly document: <T>(activity: DocumentActivity<T>, work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Around one operation, whoever asked for it. */
  readonly operation: (activity: OperationActivity, work: () => MaybePromise<Outcome>) => MaybePromise<Outcome>;
  /** Around one call of a store. */
  readonly storeCall: <T>(activity: StoreActivity<T>, work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Called within its operation when a subscription begins. */
  readonly subscription: (operation: WatchOperation) => SubscriptionWatch;
  /** Around reading one change, once for all subscribers who ask and see the same; `undefined`: they see nothing of it. */
  readonly delivery: <T>(activity: DeliveryActivity, work: () => Promise<T | undefined>) => Promise<T | undefined>;
}

export interface DocumentActivity<T> {
  readonly type: "query" | "mutation" | "subscription";
  /** As the client calls it. */
  readonly name: string | undefined;
  readonly document: DocumentNode;
  /** Of a document that did not come with an HTTP request of its own: the `extensions` that were sent beside it. */
  readonly carrier: Readonly<Record<string, unknown>> | undefined;
  /** The code of the first error in the result; of one that is the server's fault, where there is any. */
  readonly failureOf: (result: T) => string | undefined;
}

export interface OperationActivity {
  readonly operation: Operation;
  readonly caller: Caller;
  /** How long it may take, in milliseconds. */
  readonly timeout: number;
}

export type StoreMethod =
  | "byKeys"
  | "list"
  | "listPer"
  | "listTexts"
  | "insert"
  | "update"
  | "remove"
  | "link"
  | "unlink"
  | "readReceipt"
  | "writeReceipt"
  | "appendChanges"
  | "transaction";

export interface StoreActivity<T> {
  readonly method: StoreMethod;
  /** What it is about. A transaction, receipts and changes are about no resource. */
  readonly resource: string | undefined;
  /** Rows read or written; undefined where none are meant. */
  readonly rowsOf: ((result: T) => number) | undefined;
}

/** One subscription from its beginning to its end. */
export interface SubscriptionWatch {
  /** Called for each change that is handed to the subscriber. */
  readonly delivered: (kind: Change["kind"]) => void;
  /** Called once. */
  readonly end: () => void;
}

export interface DeliveryActivity {
  readonly event: ChangeEvent;
  /** The subscriptions that wait for it. */
  readonly subscriptions: Iterable<SubscriptionWatch>;
}
