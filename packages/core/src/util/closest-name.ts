/** Returns the known name closest to a misspelled one; undefined if no name is similar. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Returns `Did you mean 'title'? ` with a space at the end, or an empty text if no name is similar. */
export function suggestName(name: string, known: Iterable<string>): string {
  const closest = closestName(name, known);
  return closest === undefined ? "" : `Did you mean '${closest}'? `;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbors between two texts (optimal string
 * alignment). If it is at least `limit`, any such number may be returned.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let above: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (above[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row[b.length] ?? limit;
}
