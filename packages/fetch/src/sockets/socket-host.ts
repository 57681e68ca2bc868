import type { SocketEvents } from "@bifocal/core/adapter";

/** Opens WebSockets on a host. */
export interface SocketHost<Host extends readonly unknown[] = readonly unknown[]> {
  /**
   * Upgrades a request and reports the events of its socket. Returns the host's response to the upgrade, or `undefined`
   * if the request can't be upgraded.
   */
  upgrade(request: Request, subprotocol: string | undefined, events: SocketEvents, ...host: Host): Response | undefined;
}
