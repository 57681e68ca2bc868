/** What answers depend on (RFC 9110 §12.5.5). */
export interface Vary {
  /** Of an answer that is the same whoever asks: its form alone. */
  readonly shared: string;
  /** Of any other: the credentials as well. */
  readonly personal: string;
}

export function createVary(credentials: readonly string[]): Vary {
  return { shared: "Accept", personal: ["Accept", ...credentials].join(", ") };
}
