/** Something that works and is not for production. */
export interface Warning {
  /** Its name, for `warnings: { except: ["introspection"] }`. */
  readonly code: string;
  /** What it is about, what may come of it, and what to write instead. */
  readonly message: string;
}

/** Whether warnings are logged at start, and which are not. */
export type WarningSettings = boolean | { readonly except: readonly string[] };
