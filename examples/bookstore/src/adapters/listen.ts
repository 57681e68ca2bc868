import { once } from "node:events";
import type { Server } from "node:http";
import type { BookstoreApi } from "../create.ts";

export interface Address {
  readonly port: number;
  readonly host: string;
}

/** Serves the API at the root and returns the URL. `close` completes running requests and ends subscriptions. */
export type Listen = (
  api: BookstoreApi,
  address: Address,
) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;

/** Waits until the server listens, or fails to. */
export async function listening(server: Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  return urlOf(server);
}

export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
