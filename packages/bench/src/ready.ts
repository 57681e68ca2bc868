import type { Server } from "node:net";

/** Tells the bench where this contender listens. */
export function ready(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  process.send?.(address.port);
  process.once("SIGINT", () => process.exit(0));
}
