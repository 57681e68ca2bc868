import type { Row } from "../../model/model.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { PerParentQuery, StorePage } from "../../store/store.ts";
import type { Frame } from "../frame.ts";
import type { Plan, RelationPlan } from "./plan-selection.ts";
import { createPage, listQuery } from "./read-page.ts";
import { storeFilter } from "./rewrite-related.ts";

type Value = string | number;
type ReadNodes = (frame: Frame, plan: Plan, rows: readonly Row[]) => Promise<readonly Node[]>;

/**
 * Reads a relation for all rows of a level, and gives the function that finds each row's part. `readNodes` makes nodes
 * of the related rows, with everything beneath them.
 */
export async function readRelation(
  frame: Frame,
  plan: RelationPlan,
  rows: readonly Row[],
  readNodes: ReadNodes,
): Promise<(row: Row) => Node | PageNode | null> {
  const { local } = plan.relation;
  const values = new Set<Value>();
  for (const row of rows) {
    const value = row[local];
    if (typeof value === "string" || typeof value === "number") values.add(value);
  }
  const parents = [...values];
  if (plan.relation.kind === "belongsTo") return readOwners(frame, plan, parents, readNodes);
  const pages = await readPages(frame, plan, parents);
  // All pages become nodes together, so that what lies beneath is read once for them all.
  const all = pages.flatMap((page) => page.rows);
  const nodes = await readNodes(frame, plan.plan, all);
  const found = new Map<Value, Node | PageNode | null>();
  let start = 0;
  for (const [index, page] of pages.entries()) {
    const own = nodes.slice(start, start + page.rows.length);
    start += page.rows.length;
    found.set(parents[index] as Value, plan.relation.many ? createPage(frame, plan, page, own) : (own[0] ?? null));
  }
  if (!plan.relation.many) return (row) => found.get(row[local] as Value) ?? null;
  const nothing = createPage(frame, plan, { rows: [], more: false, total: plan.count ? 0 : undefined }, []);
  return (row) => found.get(row[local] as Value) ?? nothing;
}

async function readOwners(
  frame: Frame,
  { relation, target, filter, plan }: RelationPlan,
  keys: readonly Value[],
  readNodes: ReadNodes,
): Promise<(row: Row) => Node | null> {
  if (keys.length === 0) return () => null;
  const where = await storeFilter(frame, target, filter);
  const rows = await frame.storeOf(target.name).byKeys({ resource: target, keys, filter: where }, frame.context);
  const nodes = await readNodes(frame, plan, rows);
  const found = new Map(rows.map((row, index) => [row[relation.foreign], nodes[index] as Node]));
  return (row) => found.get(row[relation.local]) ?? null;
}

async function readPages(frame: Frame, plan: RelationPlan, parents: readonly Value[]): Promise<readonly StorePage[]> {
  if (parents.length === 0) return [];
  const { relation, target } = plan;
  const store = frame.storeOf(target.name);
  const query = { ...(await listQuery(frame, plan)), relation, parents };
  const isOneStore = relation.through === undefined || frame.storeOf(relation.source) === store;
  if (store.capabilities.listPer && isOneStore) return store.listPer(query, frame.context);
  return Promise.all(parents.map((parent) => readOnePage(frame, query, parent)));
}

/** For a store that answers one parent at a time. */
async function readOnePage(frame: Frame, query: PerParentQuery, parent: Value): Promise<StorePage> {
  const { relation, parents: _, ...list } = query;
  const own = { kind: "compare", field: relation.foreign, operator: "eq", value: parent } as const;
  const filter = andFilters(own, query.filter ?? ALWAYS);
  return frame.storeOf(relation.target).list({ ...list, filter }, frame.context);
}
