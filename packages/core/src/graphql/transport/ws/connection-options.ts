import type { Principal } from "../../../definition/principal.ts";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Run } from "../../../operation/run.ts";
import type { Log } from "../../../util/log.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import type { Validity } from "../../../operation/validity.ts";
import type { SocketOrigin } from "../../../message/protocol.ts";
import type { Meter } from "../../meter.ts";
import type { Executor } from "../executor.ts";
import type { PrepareRules } from "../prepare.ts";

/** The caller of a socket, and how long its credential is valid. */
export interface SocketCaller extends Validity {
  readonly principal: Principal | null;
  readonly address?: string | undefined;
}

/** Options that all connections of an API share. */
export interface ConnectionOptions extends PrepareRules {
  readonly meter: Meter;
  readonly executor: Executor;
  readonly run: Run;
  readonly log: Log;
  /** Returns an error if no new operation may start at the moment. */
  readonly refusal: () => BifocalError | undefined;
  /** Counts an operation as running until its promise settles. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs an operation when it is its caller's turn. Rejects with UNAVAILABLE if too many are waiting. */
  readonly turn: (caller: SocketCaller, work: () => Promise<void>) => MaybePromise<void>;
  /**
   * Counts a connection of a caller, and returns a function that ends it. Throws RATE_LIMITED if there are too many.
   */
  readonly hold: (caller: SocketCaller) => () => void;
  /**
   * Charges callers for malformed requests, and rejects callers whose allowance is used up. Undefined without a rate
   * limit.
   */
  readonly malformed:
    | {
        readonly refusal: (caller: SocketCaller) => BifocalError | undefined;
        readonly charge: (caller: SocketCaller) => Promise<void>;
      }
    | undefined;
  /** Called once per connection, with the payload of `connection_init` and the request that was upgraded. */
  readonly authenticate: (
    params: Readonly<Record<string, unknown>> | undefined,
    origin: SocketOrigin,
  ) => Promise<SocketCaller>;
}
