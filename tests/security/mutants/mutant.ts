/** A text in a source file, and its replacement. */
export interface Edit {
  /** From the root of the workspace. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly from: string;
  readonly to: string;
}

/** A mutant removes or inverts one check. */
export interface Mutant extends Edit {
  /** The check that the mutant disables. */
  readonly check: string;
  /** Further edits, for a check that exists twice: disabling only one of them would change nothing. */
  readonly also?: readonly Edit[];
  /** The tests that should notice: paths of test files, from the root of the workspace. */
  readonly suites: readonly string[];
}

type Row = readonly [
  check: string,
  file: string,
  from: string,
  to: string,
  suites?: readonly string[],
  also?: readonly Edit[],
];

/** Mutants of files in one folder. They use `suites` unless a mutant names its own. */
export function mutantsOf(folder: string, suites: readonly string[], rows: readonly Row[]): readonly Mutant[] {
  return rows.map(([check, file, from, to, own = suites, also = []]) => ({
    check,
    file: `${folder}/${file}`,
    from,
    to,
    suites: own,
    also: also.map((edit) => ({ ...edit, file: `${folder}/${edit.file}` })),
  }));
}
