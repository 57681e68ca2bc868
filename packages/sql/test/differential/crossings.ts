import type { Json, Key, Model, ResourceModel, Row, Store } from "@bifocal/core/store";
import type { ApiCall } from "./api-steps.ts";
import { shopOfCaller } from "./callers.ts";

/** How a call names rows of another tenant: as its own row, in a reference, or as the other end of a link. */
export type Crossing = "row" | "reference" | "link";

/** Returns how a caller with a tenant names rows of other tenants. */
export async function crossingsOf(store: Store, model: Model, step: ApiCall): Promise<readonly Crossing[]> {
  const own = shopOfCaller(step.who);
  if (own === undefined) return [];
  const resource = model.resources.get(step.of) as ResourceModel;
  const isOther = async (name: string, key: Key): Promise<boolean> => {
    const target = model.resources.get(name) as ResourceModel;
    if (target.tenant === undefined) return false;
    const [row] = await store.byKeys({ resource: target, keys: [key] }, { signal: undefined });
    return row !== undefined && row[target.tenant.field] !== own;
  };
  const found: Crossing[] = [];
  const isOfRow = step.kind !== "create" && step.kind !== "list" && step.kind !== "count" && step.kind !== "deleteMany";
  if (isOfRow && (await isOther(step.of, step.key))) found.push("row");
  if (step.kind === "link" || step.kind === "unlink") {
    const target = resource.relations.get(step.relation)?.target as string;
    if (await isOther(target, step.other)) found.push("link");
  }
  for (const { target, key } of referencesOf(resource, step)) if (await isOther(target, key)) found.push("reference");
  return found;
}

/** Returns the rows of tenants that an input references. */
function referencesOf(
  { relations }: ResourceModel,
  step: ApiCall,
): readonly { readonly target: string; readonly key: Key }[] {
  const row = inputOf(step);
  return [...relations.values()].flatMap(({ kind, local, target }) => {
    const [field = ""] = local;
    const key: Json | undefined = kind === "belongsTo" && local.length === 1 ? row[field] : undefined;
    return typeof key === "string" ? [{ target, key }] : [];
  });
}

function inputOf(step: ApiCall): Row {
  if (step.kind === "create" || step.kind === "replace") return step.row;
  if (step.kind !== "update") return {};
  return Object.fromEntries(Object.entries(step.row).filter((_, at) => step.chosen[at]));
}
