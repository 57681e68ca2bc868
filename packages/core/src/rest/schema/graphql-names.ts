/** A field of GraphQL with its arguments, as text. */
export interface GraphqlSignature {
  readonly name: string;
  /** The types of the arguments. */
  readonly args: Readonly<Record<string, string>>;
  readonly type: string;
  readonly description: string | undefined;
}

/** The names of one resource in the GraphQL schema that the API serves. */
export interface GraphqlNames {
  /** The type of a row. Undefined if the schema doesn't have it. */
  readonly type: string | undefined;
  /** The other types of the resource, such as `BookConnection` and `CreateBookInput`. */
  readonly types: readonly string[];
  /** The fields of a row, with its relations. */
  readonly fields: ReadonlyMap<string, GraphqlSignature>;
  /** The root fields by operation: those of queries, mutations and subscriptions. */
  readonly operations: ReadonlyMap<string, readonly GraphqlSignature[]>;
  readonly actions: ReadonlyMap<string, GraphqlSignature>;
  readonly queries: ReadonlyMap<string, GraphqlSignature>;
  /** The root fields that link and unlink rows, by relation. */
  readonly links: ReadonlyMap<string, { readonly link?: GraphqlSignature; readonly unlink?: GraphqlSignature }>;
}

export interface GraphqlDescription {
  /** By the name of the resource. */
  readonly resources: ReadonlyMap<string, GraphqlNames>;
  /** The root fields that belong to no resource, such as those that the application added. */
  readonly others: readonly GraphqlSignature[];
}
