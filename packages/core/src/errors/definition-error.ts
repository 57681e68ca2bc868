/** One mistake in a definition: where it stands, what is wrong, and what to do. */
export interface DefinitionMistake {
  /** `book.relations.author`, say. */
  readonly at: string;
  readonly problem: string;
  readonly fix: string;
}

/** Thrown by `defineApi` at start with every mistake found, so that one run shows all of them. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
  declare readonly mistakes: readonly DefinitionMistake[];

  constructor(mistakes: readonly DefinitionMistake[]) {
    const lines = mistakes.map(({ at, problem, fix }) => `  ${at}: ${problem}\n    ${fix}`);
    super(
      `${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"} in the definition\n${lines.join("\n")}`,
    );
    // In the message already, so Node need not print it once more.
    Object.defineProperty(this, "mistakes", { value: mistakes, enumerable: false });
  }
}
