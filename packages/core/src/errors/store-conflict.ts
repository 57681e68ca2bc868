/** A key or unique group is taken. Names the fields and never the values. */
export class StoreConflict extends Error {
  override readonly name = "StoreConflict";
  readonly "~bifocal" = "store-conflict";
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`A row with the same ${fields.join(", ")} already exists.`);
    this.fields = fields;
  }
}

/** By brand: a store driver may hold another copy of this package. */
export function isStoreConflict(thrown: unknown): thrown is StoreConflict {
  if (thrown instanceof StoreConflict) return true;
  return (
    typeof thrown === "object" && thrown !== null && "~bifocal" in thrown && thrown["~bifocal"] === "store-conflict"
  );
}
