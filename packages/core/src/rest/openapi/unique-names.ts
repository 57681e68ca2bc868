/**
 * Makes names unique. The first of several equal names is kept; the others get the next number that results in an
 * unused name.
 */
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
