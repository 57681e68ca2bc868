import type { KeyRing } from "../auth/api-keys/key-store.ts";
import type { BifocalError } from "../errors/bifocal-error.ts";
import type { AddressOf } from "../http/client-address.ts";
import type { AcceptsPage } from "../http/page-origin.ts";
import type { Handle } from "../http/handler.ts";
import type { HasCredential } from "../http/query-credential.ts";
import type { OpenSocket } from "../graphql/graphql.ts";
import type { Limits } from "../limits/limits.ts";
import type { Route } from "../rest/rest.ts";
import type { StoreUse } from "../store/schema-tools.ts";
import type { Log } from "../util/log.ts";

/** What adapters mount. */
export interface HttpSide {
  readonly handle: Handle;
  /** Every path with its methods; parameters as `{id}`. */
  readonly routes: readonly Route[];
  readonly hasCredential: HasCredential;
  readonly acceptsPage: AcceptsPage;
  /** Speaks GraphQL on a WebSocket that was accepted. */
  readonly openSocket: OpenSocket;
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
