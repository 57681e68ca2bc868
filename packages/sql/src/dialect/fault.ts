/** What went wrong in a database, as far as it concerns callers. */
export type Fault =
  /** `constraint` or `columns` tell which; the store finds the fields. */
  | {
      readonly kind: "unique" | "reference";
      readonly constraint?: string;
      readonly columns?: readonly string[];
      readonly table?: string;
    }
  /** A row that others point at was to be deleted. */
  | { readonly kind: "referenced"; readonly constraint?: string }
  /** A value that the column does not take. */
  | {
      readonly kind: "value";
      /** As the database names it. */
      readonly column?: string;
      readonly type?: string;
      /** It is longer than an index takes. */
      readonly isLong?: boolean;
    }
  /** Another transaction was in the way: the same again may work. */
  | { readonly kind: "retry" }
  /** The database is not there, or takes no connections. */
  | { readonly kind: "lost" }
  /** The statement was cancelled. */
  | { readonly kind: "cancelled" };
