/** The operations that `operations` of a resource can list. Actions aren't among them: each has its own definition. `query` stands for all `queries`. */
export const OPERATION_NAMES = [
  "get",
  "list",
  "create",
  "replace",
  "update",
  "delete",
  "createMany",
  "updateMany",
  "deleteMany",
  "link",
  "unlink",
  "watch",
  "query",
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

/** The operations of a resource by style. A style without a list has all of them. */
export interface StyleOperations {
  readonly rest?: readonly OperationName[];
  readonly graphql?: readonly OperationName[];
}
