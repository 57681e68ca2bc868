/** A migration was rejected or failed. The message describes what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
