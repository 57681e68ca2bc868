import { BifocalError } from "../client-error.ts";
import type { Transport } from "../transport.ts";
import type { OpenChanges } from "../watch.ts";
import { openSubscription } from "./open-subscription.ts";
import { createSharedSocket, type SharedSocket } from "./shared-socket.ts";

export interface WebSocketOptions {
  /**
   * Called with the text of each subscription and its id, before it is sent: for the manifest of a server that only
   * accepts known documents.
   */
  readonly onDocument?: (id: string, text: string) => void;
}

/**
 * Makes `watch` use a WebSocket with the protocol `graphql-transport-ws`, whatever the lens. All watches of a client share
 * one connection: `createClient({ url, lens, watch: webSockets() })`.
 */
export function webSockets({ onDocument }: WebSocketOptions = {}): OpenChanges {
  const sockets = new WeakMap<Transport, SharedSocket>();
  return async (parts, query) => {
    if (typeof WebSocket !== "function") {
      throw new BifocalError("BAD_REQUEST", "This runtime has no WebSocket. Leave out the option 'watch'.");
    }
    const { transport } = parts;
    const socket = sockets.get(transport) ?? createSharedSocket(transport);
    sockets.set(transport, socket);
    return openSubscription(socket, parts, query, onDocument);
  };
}
