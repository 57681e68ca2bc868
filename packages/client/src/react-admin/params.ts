export type Identifier = string | number;

/** A row with an `id`, as react-admin needs it. */
export interface AdminRecord {
  readonly id: Identifier;
}

export type Values = Readonly<Record<string, unknown>>;

export interface ListParams {
  readonly pagination?: { readonly page: number; readonly perPage: number };
  readonly sort?: { readonly field: string; readonly order: "ASC" | "DESC" };
  /** Values or operators by field, and words to search as `q`. */
  readonly filter?: Values;
  readonly signal?: AbortSignal;
}

export interface ReferenceParams extends ListParams {
  readonly target: string;
  readonly id: Identifier;
}

export interface UpdateParams {
  readonly id: Identifier;
  readonly data: Values;
  readonly previousData?: Values;
}
