/** What a database says of its tables, by name, with the schema where one was asked for. */
export type Found = ReadonlyMap<string, ReadonlyMap<string, FoundColumn>>;

export interface FoundColumn {
  /** In the words of the database. */
  readonly declared: string;
  readonly nullable: boolean;
  /** Text is compared by code point. */
  readonly exact: boolean;
}

/** A row of what each dialect asks: table, column, type, nullable, exact. */
export function toFound(rows: readonly (readonly unknown[])[]): Found {
  const found = new Map<string, Map<string, FoundColumn>>();
  for (const [table, column, declared, nullable, exact] of rows) {
    const columns = found.get(String(table)) ?? new Map<string, FoundColumn>();
    found.set(String(table), columns);
    columns.set(String(column), { declared: String(declared), nullable: isTrue(nullable), exact: isTrue(exact) });
  }
  return found;
}

function isTrue(raw: unknown): boolean {
  return raw === true || raw === "t" || raw === "true" || Number(raw) === 1;
}
