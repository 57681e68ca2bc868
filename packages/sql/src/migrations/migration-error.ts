/** A migration that was not run, or not to its end. Its message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
