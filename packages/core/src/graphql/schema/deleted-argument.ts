import { GraphQLEnumType, type GraphQLFieldConfigArgumentMap } from "graphql";
import type { ResourceModel } from "../../model/model.ts";

/** The values are those of REST and local calls. */
const DeletedRows = new GraphQLEnumType({
  name: "DeletedRows",
  description: "Which deleted rows to return.",
  values: {
    ONLY: { value: "only", description: "Deleted rows only." },
    WITH: { value: "with", description: "All rows, with deleted ones." },
  },
});

/** Creates the argument `deleted` for a resource with soft delete. */
export function deletedArgument({ softDelete }: ResourceModel): GraphQLFieldConfigArgumentMap {
  if (softDelete === undefined) return {};
  return { deleted: { type: DeletedRows, description: "Also returns deleted rows, for callers who may read them." } };
}
