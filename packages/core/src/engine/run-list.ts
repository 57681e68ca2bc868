import { ALWAYS, andFilters } from "../operation/filter.ts";
import type { ListOperation } from "../operation/operation.ts";
import type { PageOutcome } from "../operation/outcome.ts";
import { authorizeFilter, authorizeSort } from "./access/authorize-filter.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { type Frame, resourceOf } from "./frame.ts";
import { knownPlan, planSelection } from "./read/plan-selection.ts";
import { readNodes } from "./read/read-nodes.ts";
import { createPage, listQuery } from "./read/read-page.ts";
import { totalSort } from "./read/total-sort.ts";
import { hasHook, runHook, toItem } from "./write/run-hook.ts";

export async function runList(frame: Frame, operation: ListOperation): Promise<PageOutcome> {
  const resource = resourceOf(frame.engine.model, operation.resource);
  const hooked = hasHook(resource, "list") ? { frame, operation, resource, events: [] } : undefined;
  if (hooked !== undefined) await runHook(hooked, "list", "before");
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  const asked = operation.filter && (await authorizeFilter(frame, resource, operation.filter));
  if (operation.sort.length > 0) await authorizeSort(frame, resource, operation.sort);
  const { selection } = operation;
  const plan = knownPlan(resource, selection) ?? (await planSelection(frame, resource, selection));
  const list = {
    target: resource,
    filter: andFilters(visible, asked ?? ALWAYS),
    asked: operation.filter,
    sort: totalSort(resource, operation.sort),
    page: operation.page,
    count: operation.count === true,
  };
  const page = await frame.storeOf(resource.name).list(await listQuery(frame, list), frame.context);
  const nodes = await readNodes(frame, plan, page.rows);
  if (hooked !== undefined) {
    await runHook(hooked, "list", "after", { items: page.rows.map((row) => toItem(resource, row)) });
  }
  const { personal } = frame.notes;
  return { kind: "page", page: createPage(frame, list, page, nodes), denied: plan.denied, personal };
}
