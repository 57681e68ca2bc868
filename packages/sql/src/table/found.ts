/** The tables that exist in the database, by name, with the schema if one was requested. */
export type Found = ReadonlyMap<string, ReadonlyMap<string, FoundColumn>>;

export interface FoundColumn {
  /** The type as the database reports it. */
  readonly declared: string;
  /** Whether it keeps NULL. A primary key of SQLite would replace it by a number. */
  readonly nullable: boolean;
  /** Text is compared by code point. */
  readonly exact: boolean;
}

/** Converts the rows of a dialect's query: table, column, type, nullable, exact. */
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
