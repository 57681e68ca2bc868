/** One mistake in a definition: its location, the problem and how to fix it. */
export interface DefinitionMistake {
  /** Such as `book.relations.author`. */
  readonly at: string;
  readonly problem: string;
  readonly fix: string;
}

/** `defineApi` throws this error with all mistakes that it found, so that a single start shows them all. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
  declare readonly mistakes: readonly DefinitionMistake[];

  constructor(mistakes: readonly DefinitionMistake[]) {
    const lines = mistakes.map(({ at, problem, fix }) => `  ${at}: ${problem}\n    ${fix}`);
    super(
      `${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"} in the definition\n${lines.join("\n")}`,
    );
    // Not enumerable, because the message already contains the mistakes and Node would print them again.
    Object.defineProperty(this, "mistakes", { value: mistakes, enumerable: false });
  }
}
