import type * as NodeHttp from "node:http";

/**
 * Returns `node:http` without an `import`, which would read all its exports and so load Node's `fetch`: 25 to 30
 * milliseconds for a process whose framework doesn't import it either, as Fastify and Express don't.
 */
export function nodeHttpModule(): typeof NodeHttp {
  return process.getBuiltinModule("node:http");
}
