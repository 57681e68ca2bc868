/** Throws a `TypeError` for unknown settings, and for names of resources that aren't a list. */
export function checkSettings(call: string, settings: object, known: readonly string[], names: unknown): void {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`${call}() has no option '${unknown}'. Available: ${known.join(", ")}.`);
  // The letters of a text would count as names.
  if (names !== undefined && !Array.isArray(names))
    throw new TypeError(`${call}() needs a list of names of resources, such as ["book"].`);
}
