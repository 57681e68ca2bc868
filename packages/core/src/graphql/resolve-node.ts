import type { GraphQLFieldConfig, GraphQLResolveInfo } from "graphql";
import { withGraphQLErrors } from "./graphql-error.ts";
import type { Key } from "../model/model.ts";
import { refuse } from "../errors/refuse.ts";
import { contextOf, type ExecutionContext } from "./context.ts";
import { createRowLoader, type LoadRow } from "./row-loader.ts";
import { decodeGlobalId } from "./ids.ts";
import type { FieldTarget } from "./lower/field-target.ts";

type Resolve = NonNullable<GraphQLFieldConfig<unknown, unknown>["resolve"]>;
type Api = Omit<FieldTarget, "resource">;
type Find = (context: ExecutionContext, info: GraphQLResolveInfo, id: unknown) => Promise<object | null>;

/**
 * Resolves `node(id)`: a row of any resource. Returns null, without an error, if it does not exist or the caller cannot
 * see it.
 */
export function resolveNode(api: Api): Resolve {
  const find = createFind(api);
  return (_source, { id }: { readonly id?: unknown }, contextValue, info) =>
    withGraphQLErrors(() => find(contextOf(contextValue), info, id));
}

/**
 * Resolves `nodes(ids)` in the order of the ids. Each row has its own error; rows of one resource are read together.
 */
export function resolveNodes(api: Api): Resolve {
  const find = createFind(api);
  return async (_source, { ids }: { readonly ids?: unknown }, contextValue, info) => {
    const { listOperand } = api.limits.query;
    const all = ids as readonly unknown[];
    if (all.length > listOperand) {
      await withGraphQLErrors(() => refuse(["ids"], "too_many", `'ids' can contain at most ${listOperand} ids.`));
    }
    const context = contextOf(contextValue);
    return all.map((id) => withGraphQLErrors(() => find(context, info, id)));
  };
}

function createFind(api: Api): Find {
  const loaders = new Map<string, { readonly target: FieldTarget; readonly load: LoadRow }>();
  for (const resource of api.model.resources.values()) {
    if (!resource.operations.graphql.get) continue;
    const target = { model: api.model, limits: api.limits, ids: api.ids, resource };
    loaders.set(resource.typeName, { target, load: createRowLoader(target) });
  }
  return async (context, info, id) => {
    const typeName = decodeGlobalId(String(id))?.typeName ?? "";
    const loader = loaders.get(typeName);
    const key: Key | undefined = loader && api.ids.parse(loader.target.resource, String(id));
    const node = loader === undefined || key === undefined ? null : await loader.load(context, info, key);
    // graphql-js reads the type from `__typename`. The node is copied because it may be the store's own row.
    return node === null ? null : { ...node, __typename: typeName };
  };
}
