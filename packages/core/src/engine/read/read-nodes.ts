import type { Row } from "../../model/model.ts";
import type { Node, PageNode } from "../../operation/outcome.ts";
import type { Json } from "../../util/json.ts";
import type { Frame } from "../frame.ts";
import { matchRows } from "./match-rows.ts";
import type { Plan } from "./plan-selection.ts";
import { readRelation } from "./read-relation.ts";

type Draft = Record<string, Json | Node | PageNode | undefined>;

/** Rows as nodes, with everything beneath: each relation of a level is read once for all its rows. */
export async function readNodes(frame: Frame, plan: Plan, rows: readonly Row[]): Promise<readonly Node[]> {
  if (plan.whole || rows.length === 0) return rows;
  const nodes = rows.map((row) => copyFields(plan, row));
  if (plan.relations.length > 0) {
    await Promise.all(
      plan.relations.map(async (relation) => {
        const find = await readRelation(frame, relation, rows, readNodes);
        for (const [index, node] of nodes.entries()) node[relation.as] = find(rows[index] as Row);
      }),
    );
  }
  // Hidden names stay in the node without a value: each style says in its own way that they were denied.
  for (const name of plan.hidden) for (const node of nodes) node[name] = undefined;
  for (const { name, filter } of plan.byRow) {
    const matches = await matchRows(frame, plan.resource, rows, filter);
    for (const [index, node] of nodes.entries()) if (!matches(rows[index] as Row)) node[name] = undefined;
  }
  return nodes;
}

/** One row as a node, where no relation has to be read. */
function copyFields(plan: Plan, row: Row): Draft {
  const node: Draft = {};
  for (const name of plan.fields) node[name] = row[name];
  return node;
}
