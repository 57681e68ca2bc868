/** An error of a database, as far as callers can act on it. */
export type Fault =
  /** `constraint` or `columns` identify the violated constraint; the store maps them to fields. */
  | {
      readonly kind: "unique" | "reference";
      readonly constraint?: string;
      readonly columns?: readonly string[];
      readonly table?: string;
    }
  /** Other rows still refer to the row that was deleted. */
  | { readonly kind: "referenced"; readonly constraint?: string }
  /** The column doesn't accept the value. */
  | {
      readonly kind: "value";
      /** Named as in the database. */
      readonly column?: string;
      readonly type?: string;
      /** The value is too long for an index. */
      readonly isLong?: boolean;
      /** The row is too large for the database. */
      readonly isLarge?: boolean;
    }
  /** Another row conflicts, but the violated constraint has no unique fields. */
  | { readonly kind: "conflict" }
  /** A trigger doesn't allow the change. */
  | { readonly kind: "rejected" }
  /** The transaction conflicted with another one and can be retried. */
  | { readonly kind: "retry" }
  /** The database is unreachable or accepts no connections. */
  | { readonly kind: "lost" }
  | { readonly kind: "canceled" }
  /** The rules of the table don't allow a statement that combines several steps. */
  | { readonly kind: "ruled" };
