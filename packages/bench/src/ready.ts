import type { Server } from "node:net";
import { type Feed, feed } from "./feed.ts";

/** Tells the bench where this contender listens, and what it has used. */
export function ready(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  process.send?.(address.port);
  process.on("message", (asked: "used" | Feed) => {
    // Its processor time, which says what an answer costs whatever the client can take.
    if (asked === "used") process.send?.(process.cpuUsage());
    else void feed(server, asked).then((microseconds) => process.send?.(microseconds));
  });
  process.once("SIGINT", () => process.exit(0));
}
