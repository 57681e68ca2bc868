import type { Server } from "node:net";
import { type Feed, feed } from "./feed.ts";

function collectedMemory(): NodeJS.MemoryUsage {
  for (let n = 0; n < 4; n++) globalThis.gc?.();
  return process.memoryUsage();
}

/** Reports this contender's address and CPU time to the bench. */
export function ready(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  process.send?.(address.port);
  process.on("message", (asked: "used" | "memory" | "collected memory" | Feed) => {
    // Its CPU time is the cost of a response, however fast the client is.
    if (asked === "used") process.send?.(process.cpuUsage());
    else if (asked === "memory") process.send?.(process.memoryUsage());
    else if (asked === "collected memory") process.send?.(collectedMemory());
    else void feed(server, asked).then((microseconds) => process.send?.(microseconds));
  });
  process.once("SIGINT", () => process.exit(0));
}
