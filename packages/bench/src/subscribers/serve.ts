import type { Server } from "node:http";

/** The messages between the bench and a server. */
export type Question = "publish" | "usage";
export interface Usage {
  /** Resident bytes after a collection. */
  readonly resident: number;
  /** Microseconds of processor time so far. */
  readonly processor: number;
}

export function serve(server: Server, publish: () => Promise<void>): void {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address !== null && typeof address !== "string") process.send?.(address.port);
  });
  process.on("message", (question: Question) => {
    if (question === "publish") void publish();
    else process.send?.(usage());
  });
  process.once("disconnect", () => process.exit(0));
}

function usage(): Usage {
  for (let n = 0; n < 4; n++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  return { resident: process.memoryUsage.rss(), processor: user + system };
}
