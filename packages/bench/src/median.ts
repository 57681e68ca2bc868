export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Returns the bounds of the middle half of the values. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return [at(0.25), at(0.75)];
}
