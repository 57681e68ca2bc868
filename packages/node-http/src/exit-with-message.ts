/** Codes of errors whose message says what to do, so that a stack would only hide it. */
const EXPLAINED: ReadonlySet<unknown> = new Set([
  "ERR_SOCKET_BAD_PORT",
  "EADDRINUSE",
  "EACCES",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * Ends the program with exit code 1 because it couldn't start. Prints one line if `serve` rejected the port or the host, and the whole error
 * otherwise.
 *
 * @example
 * const { url } = await serve(api, { port: process.env.PORT }).catch(exitWithMessage);
 */
export function exitWithMessage(error: unknown): never {
  const isExplained = error instanceof Error && "code" in error && EXPLAINED.has(error.code);
  console.error(isExplained ? error.message : error);
  process.exit(1);
}
