/** The error in a Bearer challenge (RFC 6750 §3). */
export interface BearerError {
  readonly error: "invalid_token" | "insufficient_scope";
  readonly description?: string;
  readonly scope?: string;
}

/** Formats a challenge (RFC 9110 §11.6.1) with its parameters, without those that are `undefined`. */
export function challengeOf(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  );
  return written.length === 0 ? scheme : `${scheme} ${written.join(", ")}`;
}

export function isBearer(challenge: string): boolean {
  return /^bearer(?: |$)/i.test(challenge);
}

/** Adds an error to a Bearer challenge. Other challenges are returned unchanged. */
export function withError(challenge: string, { error, description, scope }: BearerError): string {
  if (!isBearer(challenge)) return challenge;
  const added = challengeOf("", { error, error_description: description, scope });
  return challenge.includes(" ") ? `${challenge},${added}` : `${challenge}${added}`;
}

/** Replaces characters that RFC 6750 §3 does not permit in these values. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
