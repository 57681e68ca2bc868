import type { Principal } from "../../../definition/principal.ts";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Run } from "../../../operation/run.ts";
import type { Log } from "../../../util/log.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import type { Validity } from "../../../operation/validity.ts";
import type { Meter } from "../../meter.ts";
import type { Executor } from "../executor.ts";
import type { PrepareRules } from "../prepare.ts";

/** Who calls over a socket, and until when. */
export interface SocketCaller extends Validity {
  readonly principal: Principal | null;
  readonly address?: string | undefined;
}

/** What all connections of an API have in common. */
export interface ConnectionOptions extends PrepareRules {
  readonly meter: Meter;
  readonly executor: Executor;
  readonly run: Run;
  readonly log: Log;
  /** Why nothing new can be begun at the moment. */
  readonly refusal: () => BifocalError | undefined;
  /** Counts an operation until it is answered. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs an operation when it is its caller's turn. Rejects with UNAVAILABLE where too many wait. */
  readonly turn: (caller: SocketCaller, work: () => Promise<void>) => MaybePromise<void>;
  /** Counts a connection of a caller, and returns what ends it. Throws RATE_LIMITED where there are too many. */
  readonly hold: (caller: SocketCaller) => () => void;
  /** Charges callers for what they send in vain, and refuses those with nothing left. */
  readonly malformed: {
    readonly refusal: (caller: SocketCaller) => BifocalError | undefined;
    readonly charge: (caller: SocketCaller) => Promise<void>;
  };
  /** Once a connection, by the payload of `connection_init` and the request that was upgraded. */
  readonly authenticate: (
    params: Readonly<Record<string, unknown>> | undefined,
    request: unknown,
  ) => Promise<SocketCaller>;
}
