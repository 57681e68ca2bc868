import { BifocalError } from "../errors/bifocal-error.ts";
import type { Credentials } from "./authenticator.ts";

/** `Bearer`, one space and a token (RFC 6750 §2.1) of at most 8 KiB; the name of a scheme has no case. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]{1,8192}=*)$/i;

/**
 * What stands in a header, which on a WebSocket may also be a member of `connection_init` by the same name, in whatever
 * case. Throws BAD_REQUEST where it was shown twice, UNAUTHENTICATED where it is no text.
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
    throw new BifocalError("UNAUTHENTICATED", "The credential is malformed.");
  }
  return value;
}

/** The token of `Authorization: Bearer`; undefined where there is none, or something else: then nobody knows what is there. */
export function bearerToken(credentials: Credentials): string | undefined {
  return BEARER.exec(credentialIn(credentials, "Authorization") ?? "")?.[1];
}
