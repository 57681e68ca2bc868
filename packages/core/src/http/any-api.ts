import type { KeyRing } from "../auth/api-keys/key-store.ts";
import type { BifocalError } from "../errors/bifocal-error.ts";
import type { AddressOf } from "./client-address.ts";
import type { AcceptsPage } from "./page-origin.ts";
import type { Handle } from "./handler.ts";
import type { HasCredential } from "./query-credential.ts";
import type { Limits } from "../limits/limits.ts";
import type { Route, SocketProtocol } from "../message/protocol.ts";
import type { StoreUse } from "../store/schema-tools.ts";
import type { Log } from "../util/log.ts";

/** What adapters mount. */
export interface HttpSide {
  readonly handle: Handle;
  /** Every path with its methods; parameters as `{id}`. */
  readonly routes: readonly Route[];
  readonly hasCredential: HasCredential;
  readonly acceptsPage: AcceptsPage;
  /** The protocol for WebSockets. */
  readonly sockets: SocketProtocol;
  readonly limits: Limits;
  readonly addressOf: AddressOf;
  /** Why no socket of this address may be opened at the moment. */
  readonly refuseSocket: (address: string | undefined) => Promise<BifocalError | undefined>;
  /** Called when the API closes. */
  readonly onClose: (listener: () => void) => void;
  readonly log: Log;
}

/** Any API, whatever its resources. */
export interface AnyApi {
  readonly "~bifocal": "api";
  readonly "~http": HttpSide;
  /** Where its API keys are, unless they stand in the code. */
  readonly "~keys": KeyRing | undefined;
  /** Its stores, for tools that look at an API without serving it. */
  readonly "~stores": readonly StoreUse[];
  readonly close: () => Promise<void>;
}
