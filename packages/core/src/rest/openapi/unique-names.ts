/** No two alike: the first of those that are keeps its name, and each other gets the next number that makes it one nobody wants. */
export function uniqueNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set(wanted);
  const given = new Set<string>();
  return wanted.map((name) => {
    let own = name;
    for (let number = 2; given.has(own) || (own !== name && taken.has(own)); number++) own = `${name}${number}`;
    given.add(own);
    return own;
  });
}
