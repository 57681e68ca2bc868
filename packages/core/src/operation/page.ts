/** A part of a list. `size` is at most the resource's maximum; cursors are opaque (see engine/cursors). */
export interface Page {
  readonly size: number;
  readonly after?: string;
  readonly before?: string;
  readonly offset?: number;
  /** True for the last `size` rows of the range instead of the first: GraphQL's `last`, and `page[before]`. */
  readonly fromEnd?: boolean;
}
