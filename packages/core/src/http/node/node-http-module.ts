/**
 * Returns `node:http` without an `import`, which would read all its exports and so load Node's `fetch`: 25 to 30
 * milliseconds for a process whose framework doesn't import it either, as Fastify and Express don't.
 */
export function nodeHttpModule(): typeof import("node:http") {
  return process.getBuiltinModule("node:http");
}
