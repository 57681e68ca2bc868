import type { IncomingMessage } from "node:http";

/** Whether a body follows the head of a request (RFC 9112 §6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && Number(length) !== 0);
}
