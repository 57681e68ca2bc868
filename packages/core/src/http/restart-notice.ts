const SERVICE_RESTART = 1012;
/** Maximum number of seconds that clients should wait before they reconnect, each for a random time. */
const MAX_DELAY_SECONDS = 5;

/**
 * The code and reason with which sockets are closed when the API closes. Spread over time, because simultaneous
 * reconnects would overload the server.
 */
export function restartNotice(): [code: number, reason: string] {
  return [SERVICE_RESTART, `Service restart: reconnect in ${1 + Math.floor(Math.random() * MAX_DELAY_SECONDS)} s`];
}
