import { ALWAYS, andFilters, type Filter } from "../operation/filter.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import type { ListOperation } from "../operation/operation.ts";
import type { Sort } from "../operation/sort.ts";
import type { PageOutcome } from "../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import { authorizeFilter, authorizeSort } from "./access/authorize-filter.ts";
import { type AuthorizedSearch, authorizeSearch } from "./access/authorize-search.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { refusalOf } from "./access/refuse-named.ts";
import { type OperationContext, storeWithDeleted } from "./operation-context.ts";
import { decideDeleted } from "./scope/deleted-rows.ts";
import { findQueried, type QueriedList } from "./query/find-queried.ts";
import { resourceOf } from "../model/resource-of.ts";
import { knownPlan, type SelectionPlan, planSelection } from "./read/plan-selection.ts";
import { orderOf, withSort } from "./read/needed-fields.ts";
import { readLevel } from "./read/read-level.ts";
import { checkLists, createPage, listQuery, shownRows } from "./read/read-page.ts";
import { storeRelatedValues } from "./read/read-related-values.ts";
import { readTexts } from "./read/read-texts.ts";
import { noteHook, runHook, toItem } from "./write/run-hook.ts";

type Rows = readonly Row[];

/** Reads a list. If it is public and has no filter or sort, no rule has to be evaluated first. */
export function runList(context: OperationContext, operation: ListOperation): MaybePromise<PageOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  if (resource.hooks.list !== undefined) return listBetweenHooks(context, resource, operation);
  const plan = knownPlan(resource, operation.selection);
  const { filter, query, search, sort, deleted } = operation;
  const isWhole = query === undefined && deleted === undefined;
  const isPlain = filter === undefined && search === undefined && sort.length === 0 && isWhole;
  const isOpen = resource.access.read.kind === "allow" && isPlain;
  return plan !== undefined && isOpen
    ? readPage(context, operation, plan, { sort })
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
  const shown = operation.deleted && (await decideDeleted(context, resource, operation.deleted));
  const asked = operation.filter && (await authorizeFilter(context, resource, operation.filter));
  const found = operation.search && (await authorizeSearch(context, resource, operation.search));
  const queried = operation.query && (await findQueried(context, resource, operation.query));
  const terms = operation.sort.length > 0 ? operation.sort : (queried?.sort ?? []);
  const sort = terms.length > 0 ? await authorizeSort(context, resource, terms) : terms;
  const { selection } = operation;
  const plan = knownPlan(resource, selection) ?? (await planSelection(context, resource, selection));
  return readPage(
    context,
    operation,
    plan,
    { filter: andFilters(visible, shown, queried?.filter, asked ?? ALWAYS, found?.filter), found, sort, queried },
    onRows,
  );
}

/** The parts of a list with the caller's rights applied. */
interface AuthorizedList {
  readonly filter?: Filter | undefined;
  readonly found?: AuthorizedSearch | undefined;
  readonly sort: Sort;
  readonly queried?: QueriedList | undefined;
}

function readPage(
  context: OperationContext,
  operation: ListOperation,
  plan: SelectionPlan,
  { filter, found, sort: terms, queried }: AuthorizedList,
  onRows?: (rows: Rows) => void,
): MaybePromise<PageOutcome> {
  const { resource } = plan;
  const { page, count = false, deleted } = operation;
  const { asked, sort } = orderOf(resource, { filter: operation.filter, sort: terms }, found);
  // Hooks receive whole rows.
  const fields = onRows === undefined ? withSort(plan.needed, sort) : undefined;
  const relatedValues = storeRelatedValues(context, plan);
  const query = queried?.identity;
  const list = { target: resource, filter, asked, query, sort, page, count, fields, relatedValues, deleted };
  return mapMaybePromise(listQuery(context, list), (query) => {
    refuseList(context, operation, plan);
    const store = deleted === undefined ? context.storeOf(resource.name) : storeWithDeleted(context, resource.name);
    const isText =
      store.listTexts !== undefined && onRows === undefined && deleted === undefined && found === undefined;
    const asText = isText ? readTexts(context, operation, { plan, list, query }) : undefined;
    return mapMaybePromise(asText, (page) => {
      if (page !== undefined) return { kind: "page", page, personal: context.cacheability.personal } as const;
      return mapMaybePromise(store.list(query, context.deadline), (read) => {
        const result = shownRows(list, read);
        return mapMaybePromise(readLevel(context, plan, result.rows), (level) => {
          onRows?.(result.rows);
          const complete = plan.computed.length === 0 ? result : { ...result, rows: level.rows };
          const page = createPage(context, list, complete, level);
          // Read last: `load` of a computed field may depend on the caller.
          return { kind: "page", page, personal: context.cacheability.personal } as const;
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
