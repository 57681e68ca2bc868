import type { Handle } from "./http/handler.ts";
import type { WsServerOptions } from "./graphql/transport/over-ws.ts";
import type { Route } from "./rest/rest.ts";
import type { Log } from "./util/log.ts";

/** What adapters mount. */
export interface HttpSide {
  readonly handle: Handle;
  /** Every path with its methods; parameters as `{id}`. */
  readonly routes: readonly Route[];
  readonly wsOptions: () => WsServerOptions;
  /** Called when the API closes. */
  readonly onClose: (listener: () => void) => void;
  readonly log: Log;
}

/** Any API, whatever its resources. */
export interface AnyApi {
  readonly "~bifocal": "api";
  readonly "~http": HttpSide;
  readonly close: () => Promise<void>;
}
