import type { Server } from "node:http";
import type { BookstoreApi } from "../create.ts";

/** Ends subscriptions, takes no new connections, and waits for the answers that are under way. */
export async function closeServer(api: BookstoreApi, server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await api.close();
  server.closeIdleConnections();
  await closed;
}
