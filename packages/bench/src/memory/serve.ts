import type { Server } from "node:http";
import { writeHeapSnapshot } from "node:v8";

/** A request of the parent: for the memory usage, or for a heap snapshot at this path. */
export type Question = "usage" | { readonly snapshot: string };

/** Memory in bytes after a forced collection. */
export interface Usage {
  readonly heap: number;
  readonly external: number;
  readonly resident: number;
}

/** Listens on loopback, sends the port to the parent, and returns the memory usage on request. */
export function serve(server: Server): void {
  server.listen(0, "127.0.0.1", 4_096, () => {
    const address = server.address();
    if (address !== null && typeof address !== "string") process.send?.(address.port);
  });
  process.on("message", (question: Question) => {
    if (question === "usage") process.send?.(usage());
    else process.send?.(writeHeapSnapshot(question.snapshot));
  });
  process.once("disconnect", () => process.exit(0));
}

function usage(): Usage {
  for (let n = 0; n < 4; n++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, resident: rss };
}
