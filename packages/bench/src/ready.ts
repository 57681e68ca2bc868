import type { Server } from "node:net";

/** Tells the bench where this contender listens, and what it has used. */
export function ready(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  process.send?.(address.port);
  // Asked for its processor time, which says what an answer costs whatever the client can take.
  process.on("message", () => process.send?.(process.cpuUsage()));
  process.once("SIGINT", () => process.exit(0));
}
