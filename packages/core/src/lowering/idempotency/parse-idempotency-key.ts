import { refuse } from "../../errors/refuse.ts";

const LENGTH = 255;

/**
 * Parses an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07 §2.1): a quoted string, or unquoted as many
 * clients send it. Throws BAD_REQUEST for other values and for repeated headers.
 */
export function parseIdempotencyKey(header: string | readonly string[]): string {
  const text = String(header).trim();
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, "$1");
  const key = quoted ?? (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/.test(text) ? text : "");
  if (key !== "" && key.length <= LENGTH) return key;
  return refuse(
    ["Idempotency-Key"],
    "malformed",
    `'Idempotency-Key' must be 1 to ${LENGTH} ASCII characters, in quotes.`,
  );
}

/** Checks a key that is an argument, and therefore needs no quotes. Throws BAD_REQUEST. */
export function checkIdempotencyKey(key: unknown): string {
  if (typeof key === "string" && key.length <= LENGTH && /^[\x20-\x7e]+$/.test(key)) return key;
  return refuse(["idempotencyKey"], "malformed", `'idempotencyKey' must be 1 to ${LENGTH} ASCII characters.`);
}
