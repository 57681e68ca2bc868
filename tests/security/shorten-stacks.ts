/** Records fewer frames of each error than Vitest does, because many of the requests are rejected. */
export function shortenStacks(): void {
  Error.stackTraceLimit = 10;
}
