/** Every limit with its unit. What exceeds one is refused before anything runs. */
export interface Limits {
  /** Bytes of a request body. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Characters of a query string. Default 8,192. */
  readonly queryLength: number;
  /** Levels of nesting in a JSON body. Default 32. */
  readonly jsonDepth: number;
  /** Levels of `and`, `or`, `not` and relations in a filter. Default 5. */
  readonly filterDepth: number;
  /** Conditions in a filter. Default 100. */
  readonly filterSize: number;
  /** Values in a list operand (`in`, `hasSome`). Default 250. */
  readonly listOperand: number;
  /** Levels of relations in a selection. Default 6. */
  readonly selectionDepth: number;
  /** Rows that may be skipped by offset. Default 10,000. */
  readonly offset: number;
  /** Tokens of a GraphQL document. Default 2,000. */
  readonly documentTokens: number;
  /** Fields that a GraphQL operation selects, its fragments spread out. Default 5,000. */
  readonly documentFields: number;
  /** Operations of a JSON Patch. Default 1,000. */
  readonly patchSteps: number;
  /** Milliseconds an operation may take. Default 10,000. */
  readonly timeout: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1_048_576,
  queryLength: 8_192,
  jsonDepth: 32,
  filterDepth: 5,
  filterSize: 100,
  listOperand: 250,
  selectionDepth: 6,
  offset: 10_000,
  documentTokens: 2_000,
  documentFields: 5_000,
  patchSteps: 1_000,
  timeout: 10_000,
};
