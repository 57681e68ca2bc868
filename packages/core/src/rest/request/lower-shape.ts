import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { groupsSelection, relationSelection, selectFields, selectionOf } from "../../lowering/lower-selection.ts";
import { isPlainObject, type Path, quote, refuse } from "../../errors/refuse.ts";
import type { Selected } from "../../operation/operation.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { type Exchange, readQuery, readSelection } from "./exchange.ts";
import type { Fieldsets } from "../formats/format.ts";
import type { QueryTree } from "./parse-query.ts";
import { lowerCount } from "../../lowering/lower-count.ts";
import { lowerAggregateQuery } from "./lower-aggregate.ts";
import { lowerListParts, type ValueForm } from "./lower-list.ts";
import { readList, refuseInitial, SHAPE_PARAMETERS } from "./parameters.ts";
import { createShapeDraft, enter, readRelations, type ShapeDraft } from "./shape-draft.ts";
import type { RouteTarget } from "../routes/route-target.ts";

/** The requested contents of a response. */
export interface ResponseShape {
  readonly selection: Selection;
  /** Every path that the client named. Naming an unreadable path is an error. */
  readonly named: readonly string[];
  /** Set for all visible fields and no relations. */
  readonly isWhole?: true;
  /** Set if fields were requested by type. */
  readonly fieldsets?: Fieldsets;
}

/** Lowers `fields`, `include` and `rel`. Without them, the response contains all visible fields and no relations. */
export function lowerShape(
  { target, format }: Pick<Exchange, "target" | "format">,
  tree: QueryTree,
  form: ValueForm = "text",
): ResponseShape {
  const { resource } = target;
  const asked = tree["fields"];
  const isByType = format?.fieldsets !== undefined && isPlainObject(asked);
  const fieldsets = isByType ? format.fieldsets(target.model, asked) : undefined;
  const fields = asked === undefined || isByType ? undefined : readList(asked, ["fields"]);
  // In formats with fields by type, an empty `include` is an empty list (JSON:API 1.1 §8.3).
  const isNone = tree["include"] === "" && format?.fieldsets !== undefined;
  const include = isNone ? [] : readList(tree["include"], ["include"]);
  if (asked === undefined && include.length === 0 && tree["rel"] === undefined) return wholeShape(resource);
  const root = createShapeDraft(resource);
  root.included = true;
  if (fields !== undefined) root.fields = new Set();
  for (const path of fields ?? []) nameField(target, root, path);
  for (const path of include) includeRelation(target, root, path);
  const aggregated = readRelations(target.model, root, tree);
  const named = [...(fields ?? []), ...include, ...aggregated];
  if (fieldsets === undefined) return { selection: finish(target, root, [], form), named };
  named.push(...narrow(root, fieldsets, ""));
  return { selection: finish(target, root, [], form), named, fieldsets };
}

/** Lowers the query string of a request for one row. `others` are further parameters of the request. */
export function readShape(exchange: Exchange, others: readonly string[] = []): ResponseShape {
  return readShapeAnd(exchange, others).shape;
}

/** Does the same and also returns the further parameters. */
export function readShapeAnd(
  exchange: Exchange,
  others: readonly string[],
): { readonly shape: ResponseShape; readonly tree: QueryTree } {
  const { request, target } = exchange;
  if (request.query === "") return { shape: wholeShape(target.resource), tree: {} };
  const tree = readQuery(exchange, [...SHAPE_PARAMETERS, ...others]);
  refuseInitial(tree);
  return { shape: lowerShape(exchange, tree), tree };
}

const WHOLE = new WeakMap<ResourceModel, ResponseShape>();

/** Selects all visible fields and no relations. */
export function wholeShape(resource: ResourceModel): ResponseShape {
  let shape = WHOLE.get(resource);
  if (shape === undefined) {
    shape = { selection: resource.whole, named: [], isWhole: true };
    WHOLE.set(resource, shape);
  }
  return shape;
}

/** Splits a path. Rejects one that is too deep before any of it is processed. */
function splitPath({ limits }: RouteTarget, path: string, at: Path): string[] {
  const { selectionDepth } = limits.query;
  const names = path.split(".", selectionDepth + 2);
  if (names.length <= selectionDepth + 1) return names;
  return refuse(
    at,
    "too_deep",
    `Relations can be nested at most ${selectionDepth} levels deep, and ${quote(path)} exceeds that.`,
  );
}

function nameField(target: RouteTarget, root: ShapeDraft, path: string): void {
  const names = splitPath(target, path, ["fields"]);
  const last = names.pop() as string;
  let draft = root;
  for (const name of names) draft = enter(target, draft, name, ["fields"]);
  if (draft.resource.relations.has(last)) enter(target, draft, last, ["fields"]).included = true;
  else {
    selectFields(draft.resource, [last], ["fields"]);
    draft.fields ??= new Set();
    draft.fields.add(last);
  }
}

/** Reduces the selection to the fields requested by type, and returns their paths. */
function narrow(draft: ShapeDraft, fieldsets: Fieldsets, path: string): readonly string[] {
  const asked = fieldsets.get(draft.resource.name);
  const named = asked === undefined ? [] : [...asked.fields, ...asked.relations].map((name) => path + name);
  if (asked !== undefined) {
    // A requested `belongsTo` relation needs the foreign key, which identifies the related row.
    const keys = [...asked.relations].flatMap((name) => {
      const relation = draft.resource.relations.get(name);
      return relation?.kind === "belongsTo" ? relation.local : [];
    });
    const isVisible = (name: string): boolean => draft.resource.fields.get(name)?.internal === false;
    draft.fields = new Set([...asked.fields, ...keys.filter(isVisible)]);
  }
  for (const [name, inner] of draft.relations) named.push(...narrow(inner, fieldsets, `${path}${name}.`));
  return named;
}

function includeRelation(target: RouteTarget, root: ShapeDraft, path: string): void {
  let draft = root;
  for (const name of splitPath(target, path, ["include"])) {
    draft = enter(target, draft, name, ["include"]);
    draft.included = true;
  }
}

function finish(target: RouteTarget, draft: ShapeDraft, path: readonly string[], form: ValueForm): Selection {
  const { model, limits } = target;
  const relations: RelationSelection[] = [];
  for (const [name, inner] of draft.relations) {
    const relation = draft.resource.relations.get(name);
    if (relation === undefined) continue;
    const at = [...path, name];
    const selection = finish(target, inner, at, form);
    const where = ["rel", at.join(".")];
    if (inner.parts !== undefined && !relation.many) {
      refuse(where, "not_a_list", `'${at.join(".")}' is a single row and can't be filtered, sorted or paged.`);
    }
    const parts = relation.many
      ? lowerListParts({ model, limits, resource: inner.resource }, inner.parts ?? {}, where, form)
      : {};
    const count = lowerCount(inner.resource, inner.parts?.["count"], [...where, "count"]);
    relations.push(relationSelection({ model, relation, ...parts, count, selection }));
  }
  for (const [name, tree] of draft.groups) {
    const relation = draft.resource.relations.get(name) as RelationModel;
    const resource = model.resources.get(relation.target) as ResourceModel;
    const where = ["rel", [...path, name].join(".")];
    const { condition, aggregation } = lowerAggregateQuery({ model, limits, resource }, tree, form, where);
    relations.push(groupsSelection(relation, aggregation, condition));
  }
  const fields = draft.fields ?? (draft.included ? draft.resource.whole.fields : []);
  return selectionOf(draft.resource, fields, relations, ["fields"]);
}

/** Returns what the operation has to read for the response. */
export function selectShape(exchange: Exchange, shape: ResponseShape): Selected {
  const selection = readSelection(exchange, shape);
  return shape.named.length === 0 ? { selection } : { selection, named: shape.named };
}
