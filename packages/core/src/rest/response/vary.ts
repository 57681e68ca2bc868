/** Values of the `Vary` header (RFC 9110 §12.5.5). */
export interface Vary {
  /** For responses that are the same for all callers: only the format. */
  readonly shared: string;
  /** For all other responses: the credentials too. */
  readonly personal: string;
}

export function createVary(credentials: readonly string[]): Vary {
  return { shared: "Accept", personal: ["Accept", ...credentials].join(", ") };
}
