/** Returns the members that are set. */
export function setEntries(object: object): [name: string, value: unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/** Returns an object with the same names, without those that are undefined. */
export function mapValues(object: object, map: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(setEntries(object).map(([name, value]) => [name, map(name, value)]));
}
