import type { SocketHost } from "./socket-host.ts";
import { reportEvents, StandardSocket } from "./standard-socket.ts";

declare const Deno: {
  readonly upgradeWebSocket: (
    request: Request,
    options: { readonly protocol?: string },
  ) => { readonly socket: WebSocket; readonly response: Response };
};

/**
 * Serves subscriptions over WebSocket on Deno.
 *
 * @throws {Error} on another host.
 * @example
 * Deno.serve(fetchHandler(api, { sockets: denoSockets() }));
 */
export function denoSockets(): SocketHost {
  if (typeof Deno === "undefined")
    throw new Error("denoSockets() works only on Deno. Use bunSockets(api) on Bun and workerdSockets() on workerd.");
  return {
    upgrade(request, subprotocol, events) {
      const { socket, response } = Deno.upgradeWebSocket(
        request,
        subprotocol === undefined ? {} : { protocol: subprotocol },
      );
      reportEvents(socket, events);
      socket.addEventListener("open", () => events.opened(new StandardSocket(socket, subprotocol)));
      return response;
    },
  };
}
