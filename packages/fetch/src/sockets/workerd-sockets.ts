import type { SocketHost } from "./socket-host.ts";
import { reportEvents, StandardSocket } from "./standard-socket.ts";

declare const WebSocketPair: new () => {
  readonly 0: WebSocket;
  readonly 1: WebSocket & { readonly accept: () => void };
};

/**
 * Serves subscriptions over WebSocket in a Durable Object of workerd.
 *
 * @example
 * const handler = fetchHandler(api, { sockets: workerdSockets() });
 */
export function workerdSockets(): SocketHost {
  return {
    upgrade(_request, subprotocol, events) {
      const { 0: client, 1: socket } = new WebSocketPair();
      reportEvents(socket, events);
      socket.accept();
      events.opened(new StandardSocket(socket, subprotocol));
      const headers: Record<string, string> =
        subprotocol === undefined ? {} : { "Sec-WebSocket-Protocol": subprotocol };
      // Only workerd has the option.
      return new Response(null, { status: 101, headers, webSocket: client } as ResponseInit);
    },
  };
}
