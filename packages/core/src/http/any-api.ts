import type { KeyRing } from "../auth/api-keys/key-store.ts";
import type { BifocalError } from "../errors/bifocal-error.ts";
import type { AddressOf } from "./client-address.ts";
import type { AcceptsPage, HasCredential } from "./check-head.ts";
import type { Handle } from "./handler.ts";
import type { Limits } from "../limits/limits.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";
import type { Route, SocketProtocol } from "../message/protocol.ts";
import type { StoreUse } from "../store/store-use.ts";
import type { Log } from "../util/log.ts";

/** The interface that adapters mount. */
export interface HttpSide {
  readonly handle: Handle;
  /** Returns a 404 for a path that isn't part of the API, in the format that the client accepts. */
  readonly notFound: (request: HttpRequest) => HttpResponse;
  /** All paths with their methods. Parameters are written as `{id}`. */
  readonly routes: readonly Route[];
  readonly hasCredential: HasCredential;
  readonly acceptsPage: AcceptsPage;
  /** The protocol for WebSockets. */
  readonly sockets: SocketProtocol;
  readonly limits: Limits;
  readonly addressOf: AddressOf;
  /** Returns an error if this address cannot open a socket at the moment. */
  readonly refuseSocket: (address: string | undefined) => Promise<BifocalError | undefined>;
  /** Called when the API closes. */
  readonly onClose: (listener: () => void) => void;
  readonly log: Log;
}

/** An API with any resources. */
export interface AnyApi {
  readonly "~bifocal": "api";
  readonly "~http": HttpSide;
  /** The ring of the API keys. Undefined if the keys are listed in the code. */
  readonly "~keys": KeyRing | undefined;
  /** The API's stores, for tools that inspect an API without serving it. */
  readonly "~stores": readonly StoreUse[];
  readonly close: () => Promise<void>;
}
