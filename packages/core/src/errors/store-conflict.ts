/** A write violates the uniqueness of a key or unique group. Names the fields, never the values. */
export class StoreConflict extends Error {
  override readonly name = "StoreConflict";
  readonly "~bifocal" = "store-conflict";
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`A row with the same ${fields.join(", ")} already exists.`);
    this.fields = fields;
  }
}

/** Checks the brand, because a store driver may load another copy of this package. */
export function isStoreConflict(thrown: unknown): thrown is StoreConflict {
  if (thrown instanceof StoreConflict) return true;
  return (
    typeof thrown === "object" && thrown !== null && "~bifocal" in thrown && thrown["~bifocal"] === "store-conflict"
  );
}
