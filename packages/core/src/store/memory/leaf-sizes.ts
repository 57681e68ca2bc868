const GROUP = 64;

/** The number of rows in each leaf of a sorted list, summed up in groups so that the leaf of an index is found fast. */
export class LeafSizes {
  readonly #sizes: number[] = [];
  readonly #sums: number[] = [];

  at(index: number): number {
    return this.#sizes[index] ?? 0;
  }

  /** Changes the size of a leaf. */
  add(index: number, count: number): void {
    (this.#sizes[index] as number) += count;
    (this.#sums[Math.floor(index / GROUP)] as number) += count;
  }

  insert(index: number, size: number): void {
    this.#sizes.splice(index, 0, size);
    this.#sumFrom(index);
  }

  delete(index: number): void {
    this.#sizes.splice(index, 1);
    this.#sumFrom(index);
  }

  /** Returns the number of rows before a leaf. */
  before(index: number): number {
    const group = Math.floor(index / GROUP);
    return sumOf(this.#sums, 0, group) + sumOf(this.#sizes, group * GROUP, index);
  }

  /** Returns the leaf with the row at an index, which must exist, and the index of its first row. */
  find(index: number): readonly [leaf: number, start: number] {
    let [group, start] = [0, 0];
    while (start + (this.#sums[group] as number) <= index) start += this.#sums[group++] as number;
    let leaf = group * GROUP;
    while (start + (this.#sizes[leaf] as number) <= index) start += this.#sizes[leaf++] as number;
    return [leaf, start];
  }

  #sumFrom(index: number): void {
    const sizes = this.#sizes;
    let group = Math.floor(index / GROUP);
    for (; group * GROUP < sizes.length; group++)
      this.#sums[group] = sumOf(sizes, group * GROUP, Math.min(sizes.length, (group + 1) * GROUP));
    this.#sums.length = group;
  }
}

function sumOf(sizes: readonly number[], start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index++) sum += sizes[index] as number;
  return sum;
}
