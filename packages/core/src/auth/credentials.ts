import { BifocalError } from "../errors/bifocal-error.ts";
import type { Credentials } from "./authenticator.ts";

/** `Bearer`, one space and a token (RFC 6750 §2.1) of at most 8 KiB. The scheme name is case-insensitive. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]{1,8192}=*)$/i;

/**
 * Returns the value of a credential header. On a WebSocket, it may also be a member of `connection_init` with the same
 * name, in any case. Throws BAD_REQUEST if the credential was sent twice, and UNAUTHENTICATED if it is not a string.
 */
export function credentialIn(credentials: Credentials, header: string): string | undefined {
  const name = header.toLowerCase();
  const sent = credentials.headers[name];
  const shown: unknown[] = sent === undefined ? [] : [sent];
  for (const [key, value] of Object.entries(credentials.connectionParams ?? {})) {
    const isIt = key.toLowerCase() === name || (key === "apiKey" && name === "x-api-key");
    if (isIt && value !== null && value !== undefined) shown.push(value);
  }
  const [value] = shown;
  if (shown.length > 1 || Array.isArray(value) || (sent !== undefined && credentials.repeats?.(name) === true)) {
    throw new BifocalError("BAD_REQUEST", `The credential header '${header}' was sent more than once. Send it once.`);
  }
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") {
    throw new BifocalError("UNAUTHENTICATED", `The credential in '${header}' is malformed.`);
  }
  return value;
}

/** Returns the token of `Authorization: Bearer`, or undefined if the header is missing or has another scheme. */
export function bearerToken(credentials: Credentials): string | undefined {
  return BEARER.exec(credentialIn(credentials, "Authorization") ?? "")?.[1];
}
