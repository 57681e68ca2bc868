import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";

/**
 * Adds the header of the rejected credential to an UNAUTHENTICATED error, because a request may contain others that
 * were not used. Returns all other errors unchanged.
 */
export function nameRejected(thrown: unknown, header: string | undefined): unknown {
  if (header === undefined || !isBifocalError(thrown) || thrown.code !== "UNAUTHENTICATED") return thrown;
  const message = `${thrown.message} Rejected credential: '${header}'.`;
  const { issues, headers } = thrown;
  return new BifocalError("UNAUTHENTICATED", message, { issues, headers, cause: thrown });
}
