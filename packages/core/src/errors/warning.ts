/** A setting that works but isn't suitable for production. */
export interface Warning {
  /** The name to use in `warnings: { except: ["introspection"] }`. */
  readonly code: string;
  /** The setting, its risk, and the recommended alternative. */
  readonly message: string;
}

/** Whether warnings are logged at start, and the codes that aren't. */
export type WarningSettings = boolean | { readonly except: readonly string[] };
