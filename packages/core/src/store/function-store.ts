import { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, Model, ResourceModel, Row } from "../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../operation/filter.ts";
import { keysFilter, valuesFilter } from "../operation/keys-filter.ts";
import { type Token, tokenOf, tokenReader } from "../model/reference.ts";
import { allMaybePromises } from "../util/maybe-promise.ts";
import { rowVersion } from "../model/row-version.ts";
import { evaluateFilter } from "./evaluate-filter.ts";
import { toId, toRow, toValue, type FunctionQuery, type ResourceFunctions } from "./functions/resource-functions.ts";
import { Evaluation } from "./evaluation.ts";
import { directList } from "./memory/directed.ts";
import { scanRows } from "./memory/list-rows.ts";
import { runReading } from "./memory/reading.ts";
import type { StoreView } from "./memory/store-view.ts";
import { nextVersion } from "./next-version.ts";
import type {
  ListQuery,
  MaybePromise,
  PerParentQuery,
  DeleteCommand,
  Store,
  StoreCapabilities,
  StoreContext,
  StorePage,
  UpdateCommand,
} from "./store.ts";

const NO_RELATED: StoreView["related"] = () => {
  throw new Error("functionStore doesn't support relations.");
};

/**
 * Backs resources by functions, given by the name of each resource. Preconditions and row rules are checked on the row
 * as read just before the write. Without a transaction in the service itself, concurrent writers can overwrite each
 * other.
 * @example stores: { book: functionStore({ book: { list: () => orm.books.findMany() } }) }
 */
export function functionStore(functions: Readonly<Record<string, ResourceFunctions>>): Store {
  for (const [name, one] of Object.entries(functions))
    if (typeof (one as Partial<ResourceFunctions> | undefined)?.list !== "function")
      throw new TypeError(
        `functionStore() needs a function 'list' for each resource: { ${name}: { list: () => rows } }.`,
      );
  const writes = Object.values(functions).some((one) => one.create ?? one.update ?? one.delete);
  const capabilities: StoreCapabilities = {
    transactions: false,
    relationFilters: false,
    relationSort: false,
    listPer: true,
    links: false,
    writes,
  };
  let opened: Model | undefined;

  function functionsOf({ name }: ResourceModel): ResourceFunctions {
    const found = functions[name];
    if (found === undefined) throw new Error(`functionStore: no functions are defined for '${name}'.`);
    return found;
  }

  async function list(query: ListQuery, signal: AbortSignal | undefined): Promise<StorePage> {
    const { resource } = query;
    const answer = await functionsOf(resource).list(toFunctionQuery(query, signal));
    if (!("page" in answer)) return scan(query, toRows(resource, answer), { signal });
    const { page, more, total } = answer;
    return {
      rows: toRows(resource, page),
      more,
      ...(total === undefined ? {} : { total: Math.min(total, query.countMost ?? total) }),
    };
  }

  function scan(query: ListQuery, rows: readonly Row[], context: StoreContext): MaybePromise<StorePage> {
    const view = viewOf(opened);
    const createEvaluation = (): Evaluation => new Evaluation(view.model, view.related, context);
    return runReading({ context, createEvaluation, version: () => 0 }, (evaluation) =>
      scanRows(directList(view, query, evaluation), rows),
    );
  }

  /**
   * Reads the related rows of all parents in one call. If the function truncates the result, reads them for each parent
   * separately.
   */
  async function listPer(
    { relation, parents, ...query }: PerParentQuery,
    signal: AbortSignal | undefined,
  ): Promise<readonly StorePage[]> {
    const { resource, sort, limit, offset = 0 } = query;
    const ofParents = (values: readonly Key[]): Filter | undefined =>
      andFilters(valuesFilter(relation.foreign, values), query.filter ?? ALWAYS);
    const whole = { resource, sort, filter: ofParents(parents), limit: (offset + limit + 1) * parents.length };
    const answer = await functionsOf(resource).list(toFunctionQuery(whole, signal));
    if ("page" in answer && answer.more) {
      return Promise.all(parents.map((parent) => list({ ...query, filter: ofParents([parent]) }, signal)));
    }
    const rows = toRows(resource, "page" in answer ? answer.page : answer);
    const byParent = new Map<Token | null, Row[]>(parents.map((parent) => [tokenOf(parent), []]));
    const tokenIn = tokenReader(relation.foreign);
    for (const row of rows) byParent.get(tokenIn(row))?.push(row);
    return allMaybePromises([...byParent.values()].map((own) => scan(query, own, { signal })));
  }

  async function readMany(
    resource: ResourceModel,
    keys: readonly Key[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const { get, getMany } = functionsOf(resource);
    const ids = keys.map((key) => toId(resource, key));
    if (getMany !== undefined) return toRows(resource, await getMany(ids, signal));
    if (get !== undefined) {
      const found = await Promise.all(ids.map(async (id) => get(id, signal)));
      return found.flatMap((row) => (row === null || row === undefined ? [] : [toRow(resource, row)]));
    }
    const sort = resource.key.map((name) => ({ path: [name] as const, descending: false }));
    const filter = keysFilter(resource, keys);
    return (await list({ resource, filter, sort, limit: keys.length }, signal)).rows;
  }

  const matches = (filter: Filter | undefined, row: Row, resource: ResourceModel): boolean =>
    filter === undefined || evaluateFilter(filter, row, resource, NO_RELATED, viewOf(opened).model);

  /** Returns the row to write if it passes the checks. */
  async function checked(
    { resource, key, where, ifMatch }: UpdateCommand | DeleteCommand,
    signal: AbortSignal | undefined,
  ): Promise<Row | "absent" | "stale"> {
    const [row] = await readMany(resource, [key], signal);
    if (row === undefined || !matches(where, row, resource)) return "absent";
    if (ifMatch === undefined || ifMatch === "*") return row;
    return ifMatch.includes(rowVersion(resource, row)) ? row : "stale";
  }

  return {
    capabilities,
    writesOf({ name }) {
      const { create, update, delete: deleteRow } = functions[name] ?? {};
      return { create: create !== undefined, update: update !== undefined, delete: deleteRow !== undefined };
    },
    open(model, resources) {
      opened = model;
      for (const resource of resources) functionsOf(resource);
    },
    async byKeys({ resource, keys, filter }, { signal }) {
      const rows = await readMany(resource, keys, signal);
      return rows.filter((row) => matches(filter, row, resource));
    },
    list: (query, { signal }) => list(query, signal),
    listPer: (query, { signal }) => listPer(query, signal),
    async insert({ resource, rows }) {
      const { create } = functionsOf(resource);
      if (create === undefined) throw cannot("created", resource);
      const made: Row[] = [];
      const first = resource.version === undefined ? {} : { [resource.version]: 1 };
      for (const row of rows) made.push(toRow(resource, await create(toValue(resource, { ...row, ...first }))));
      return made;
    },
    async update(command, { signal }) {
      const { resource, key, set, check } = command;
      const { update } = functionsOf(resource);
      if (update === undefined) throw cannot("changed", resource);
      const before = await checked(command, signal);
      if (typeof before === "string") return { kind: before };
      const written = { ...set, ...nextVersion(resource, before, set) };
      if (!matches(check, { ...before, ...written }, resource)) return { kind: "refused" };
      const after = toRow(resource, await update(toId(resource, key), toValue(resource, written)));
      return { kind: "done", before, after };
    },
    async delete(command, { signal }) {
      const { resource, key } = command;
      const { delete: deleteRow } = functionsOf(resource);
      if (deleteRow === undefined) throw cannot("deleted", resource);
      const before = await checked(command, signal);
      if (typeof before === "string") return { kind: before };
      await deleteRow(toId(resource, key));
      return { kind: "done", before };
    },
    link: () => Promise.reject(new Error("functionStore doesn't support many-to-many relations.")),
    unlink: () => Promise.reject(new Error("functionStore doesn't support many-to-many relations.")),
    transaction: () => Promise.reject(new Error("functionStore doesn't support transactions.")),
  };
}

function toFunctionQuery(query: ListQuery, signal: AbortSignal | undefined): FunctionQuery {
  const { filter, sort, limit, offset, after, before, fromEnd = false, count = false, countMost } = query;
  return { filter, sort, limit, offset, after, before, fromEnd, count, countMost, signal };
}

function toRows(resource: ResourceModel, values: readonly object[]): readonly Row[] {
  return values.map((value) => toRow(resource, value));
}

function cannot(what: string, { plural }: ResourceModel): BifocalError {
  return new BifocalError("METHOD_NOT_ALLOWED", `${plural} can't be ${what} here.`);
}

function viewOf(model: Model | undefined): StoreView {
  if (model === undefined) throw new Error("The store is not open.");
  const refuse = NO_RELATED as () => never;
  const resourceOf = (name: string): ResourceModel => model.resources.get(name) as ResourceModel;
  return {
    model,
    resourceOf,
    get: refuse,
    all: refuse,
    size: refuse,
    withValue: refuse,
    withValues: refuse,
    linked: refuse,
    related: NO_RELATED,
  };
}
