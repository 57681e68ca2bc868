import { listNames, type Path, quote, refuse } from "../../errors/refuse.ts";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { suggestName } from "../../util/closest-name.ts";
import { AGGREGATE_PARAMETERS, requestsGroups } from "./lower-aggregate.ts";
import { readObject, rejectUnknownParameters } from "./parameters.ts";
import type { QueryTree } from "./parse-query.ts";

/** The requested contents of the rows of a resource, while they are collected. */
export interface ShapeDraft {
  readonly resource: ResourceModel;
  /** The named fields. Absent if no fields were named; then all fields apply if the relation is included. */
  fields: Set<string> | undefined;
  included: boolean;
  parts: QueryTree | undefined;
  readonly relations: Map<string, ShapeDraft>;
  /** The aggregates of relations, by the name of the relation. */
  readonly groups: Map<string, QueryTree>;
}

export function createShapeDraft(resource: ResourceModel): ShapeDraft {
  return { resource, fields: undefined, included: false, parts: undefined, relations: new Map(), groups: new Map() };
}

/** Returns the draft of a relation, and adds it if it is missing. */
export function enter({ model }: { readonly model: Model }, draft: ShapeDraft, name: string, path: Path): ShapeDraft {
  const known = draft.relations.get(name);
  if (known !== undefined) return known;
  const relation = requireRelation(draft.resource, name, path);
  const inner = createShapeDraft(model.resources.get(relation.target) as ResourceModel);
  draft.relations.set(name, inner);
  return inner;
}

const LIST_PARTS = ["filter", "q", "sort", "page", "count", ...AGGREGATE_PARAMETERS] as const;

/**
 * Reads `rel[reviews][sort]=-createdAt`, or `rel[author.books][page][size]=5` for a nested relation. Returns the paths
 * of the relations that are aggregated.
 */
export function readRelations(model: Model, root: ShapeDraft, tree: QueryTree): readonly string[] {
  const aggregated: string[] = [];
  for (const [path, value] of Object.entries(readObject(tree["rel"], ["rel"], "rel[reviews][sort]=-createdAt"))) {
    const parts = readObject(value, ["rel", path], `rel[${path}][page][size]=5`);
    if (requestsGroups(parts)) {
      addGroups(root, path, parts);
      aggregated.push(path);
      continue;
    }
    const draft = draftAt(root, path.split("."), path);
    draft.parts = parts;
    const { resource } = draft;
    rejectUnknownParameters(parts, LIST_PARTS, { model, resource }, ["rel", path]);
  }
  return aggregated;
}

function draftAt(root: ShapeDraft, names: readonly string[], path: string): ShapeDraft {
  let draft: ShapeDraft | undefined = root;
  for (const name of names) draft = draft?.relations.get(name);
  if (draft !== undefined) return draft;
  const missing = names.join(".");
  return refuse(
    ["rel", path],
    "not_included",
    `${quote(missing)} is not included. Add include=${missing}, or name it in 'fields'.`,
  );
}

/** Unlike rows, groups need no `include`. */
function addGroups(root: ShapeDraft, path: string, parts: QueryTree): void {
  const names = path.split(".");
  const last = names.pop() as string;
  const parent = draftAt(root, names, path);
  const at = ["rel", path];
  const relation = requireRelation(parent.resource, last, at);
  if (!relation.many) refuse(at, "not_a_list", `${quote(path)} is a single row and can't be aggregated.`);
  if (parent.relations.has(last)) {
    const message = `${quote(path)} can't be included and aggregated in one request. Remove it from 'include' and 'fields'.`;
    refuse(at, "contradiction", message);
  }
  parent.groups.set(last, parts);
}

function requireRelation(resource: ResourceModel, name: string, path: Path): RelationModel {
  const relation = resource.relations.get(name);
  if (relation !== undefined) return relation;
  const names = [...resource.relations.keys()];
  const problem = `'${resource.name}' has no relation ${quote(name)}`;
  return refuse(path, "unknown_relation", `${problem}. ${suggestName(name, names)}Available: ${listNames(names)}.`);
}
