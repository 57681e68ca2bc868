import { ALWAYS, andFilters, type Filter } from "../operation/filter.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import type { ListOperation } from "../operation/operation.ts";
import type { PageOutcome } from "../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import { authorizeFilter, authorizeSort } from "./access/authorize-filter.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { refusalOf } from "./access/refuse-named.ts";
import type { OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { knownPlan, type SelectionPlan, planSelection } from "./read/plan-selection.ts";
import { withSort, totalSort } from "./read/needed-fields.ts";
import { readLevel } from "./read/read-level.ts";
import { checkLists, createPage, listQuery, shownRows } from "./read/read-page.ts";
import { readTexts } from "./read/read-texts.ts";
import { noteHook, runHook, toItem } from "./write/run-hook.ts";

type Rows = readonly Row[];

/** Reads a list. If it is public and has no filter or sort, no rule has to be evaluated first. */
export function runList(context: OperationContext, operation: ListOperation): MaybePromise<PageOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  if (resource.hooks.list !== undefined) return listBetweenHooks(context, resource, operation);
  const plan = knownPlan(resource, operation.selection);
  const isOpen = resource.access.read.kind === "allow" && operation.filter === undefined && operation.sort.length === 0;
  return plan !== undefined && isOpen
    ? readPage(context, operation, plan, undefined)
    : listVisible(context, resource, operation);
}

async function listBetweenHooks(
  context: OperationContext,
  resource: ResourceModel,
  operation: ListOperation,
): Promise<PageOutcome> {
  const hooked = { context, operation, resource, events: [] };
  noteHook(context);
  await runHook(hooked, "list", "before");
  let items: readonly unknown[] = [];
  const outcome = await listVisible(context, resource, operation, (rows) => {
    items = rows.map((row) => toItem(resource, row));
  });
  await runHook(hooked, "list", "after", { items });
  return outcome;
}

async function listVisible(
  context: OperationContext,
  resource: ResourceModel,
  operation: ListOperation,
  onRows?: (rows: Rows) => void,
): Promise<PageOutcome> {
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  const asked = operation.filter && (await authorizeFilter(context, resource, operation.filter));
  if (operation.sort.length > 0) await authorizeSort(context, resource, operation.sort);
  const { selection } = operation;
  const plan = knownPlan(resource, selection) ?? (await planSelection(context, resource, selection));
  return readPage(context, operation, plan, andFilters(visible, asked ?? ALWAYS), onRows);
}

function readPage(
  context: OperationContext,
  operation: ListOperation,
  plan: SelectionPlan,
  filter: Filter | undefined,
  onRows?: (rows: Rows) => void,
): MaybePromise<PageOutcome> {
  const { resource } = plan;
  const { filter: asked, page, count = false } = operation;
  const sort = totalSort(resource, operation.sort);
  // Hooks receive whole rows.
  const fields = onRows === undefined ? withSort(plan.needed, sort) : undefined;
  const list = { target: resource, filter, asked, sort, page, count, fields };
  const { personal } = context.cacheability;
  return mapMaybePromise(listQuery(context, list), (query) => {
    refuseList(context, operation, plan);
    const store = context.storeOf(resource.name);
    const isText = store.listTexts !== undefined && onRows === undefined;
    const asText = isText ? readTexts(context, operation, { plan, list, query }) : undefined;
    return mapMaybePromise(asText, (page) => {
      if (page !== undefined) return { kind: "page", page, personal } as const;
      return mapMaybePromise(store.list(query, context.deadline), (read) => {
        const result = shownRows(list, read);
        return mapMaybePromise(readLevel(context, plan, result.rows), (level) => {
          onRows?.(result.rows);
          return { kind: "page", page: createPage(context, list, result, level), personal } as const;
        });
      });
    });
  });
}

/** Refuses names before any row is read. Invalid cursors of nested lists are reported first, like that of the list itself. */
function refuseList(context: OperationContext, { named }: ListOperation, plan: SelectionPlan): void {
  if (plan.denied.length === 0) return;
  const refusal = refusalOf(named, plan.denied);
  if (refusal === undefined) return;
  checkLists(context, plan);
  throw refusal;
}
