import { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, Model, ResourceModel, Row } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import type { Sort } from "../operation/sort.ts";
import type { Json } from "../util/json.ts";
import { rowVersion } from "../util/row-version.ts";
import { evaluateFilter } from "./evaluate-filter.ts";
import { scanRows } from "./memory/list-rows.ts";
import type { View } from "./memory/view.ts";
import type { ListQuery, RemoveCommand, Store, StoreCapabilities, StorePage, UpdateCommand } from "./store.ts";

type Value = Readonly<Record<string, unknown>>;

/** What a list is asked for. Filters and positions are in stored form (see `Filter`). */
export interface FunctionQuery {
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number | undefined;
  readonly after: readonly Json[] | undefined;
  readonly before: readonly Json[] | undefined;
  readonly fromEnd: boolean;
  readonly count: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A page that a function has filtered, sorted and cut itself. */
export interface FunctionPage {
  readonly page: readonly Value[];
  readonly more: boolean;
  readonly total?: number;
}

/** Functions over an existing service or ORM. Rows and ids are as user code sees them; only `list` is required. */
export interface ResourceFunctions {
  /** All rows that could match: what is too many is filtered, sorted and cut here. Or the very page, if it can. */
  readonly list: (query: FunctionQuery) => MaybePromise<readonly Value[] | FunctionPage>;
  /** One row by its id; without it, `list` is asked. The id of a composite key is an object. */
  readonly get?: (id: unknown, signal: AbortSignal | undefined) => MaybePromise<Value | null | undefined>;
  /** Several rows by their ids, in any order; without it, `get` is called for each. */
  readonly getMany?: (ids: readonly unknown[], signal: AbortSignal | undefined) => MaybePromise<readonly Value[]>;
  /** Answers the row as it is kept. */
  readonly create?: (row: Value) => MaybePromise<Value>;
  /** Answers the row as it is kept. */
  readonly update?: (id: unknown, changes: Value) => MaybePromise<Value>;
  readonly remove?: (id: unknown) => MaybePromise<void>;
}

type MaybePromise<T> = T | Promise<T>;

const NO_RELATED: View["related"] = () => {
  throw new Error("The functions of a store do not follow relations.");
};

/**
 * Backs resources by plain functions, by the name of each resource. Preconditions and row rules are checked on the row
 * as it was read just before the write: without a transaction of the service itself, two writers can pass each other.
 *
 * @example stores: { book: functionStore({ book: { list: () => orm.books.findMany() } }) }
 */
export function functionStore(functions: Readonly<Record<string, ResourceFunctions>>): Store {
  const writes = Object.values(functions).some(({ create, update, remove }) => create ?? update ?? remove);
  const capabilities: StoreCapabilities = {
    transactions: false,
    relationFilters: false,
    relationSort: false,
    listPer: false,
    links: false,
    writes,
  };
  let opened: Model | undefined;

  function functionsOf({ name }: ResourceModel): ResourceFunctions {
    const found = functions[name];
    if (found === undefined) throw new Error(`functionStore: there are no functions for '${name}'.`);
    return found;
  }

  async function list(query: ListQuery, signal: AbortSignal | undefined): Promise<StorePage> {
    const { resource, filter, sort, limit, offset, after, before, fromEnd = false, count = false } = query;
    const asked = { filter, sort, limit, offset, after, before, fromEnd, count, signal };
    const answer = await functionsOf(resource).list(asked);
    if (!("page" in answer))
      return scanRows(
        viewOf(opened),
        query,
        answer.map((row) => toRow(resource, row)),
      );
    const { page, more, total } = answer;
    return { rows: page.map((row) => toRow(resource, row)), more, ...(total === undefined ? {} : { total }) };
  }

  async function readMany(
    resource: ResourceModel,
    keys: readonly Key[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const { get, getMany } = functionsOf(resource);
    const ids = keys.map((key) => toId(resource, key));
    if (getMany !== undefined) return (await getMany(ids, signal)).map((row) => toRow(resource, row));
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

  /** The row that a write is about, if it may be written. */
  async function checked(
    { resource, key, where, ifMatch }: UpdateCommand | RemoveCommand,
    signal: AbortSignal | undefined,
  ): Promise<Row | "absent" | "stale"> {
    const [row] = await readMany(resource, [key], signal);
    if (row === undefined || !matches(where, row, resource)) return "absent";
    if (ifMatch === undefined || ifMatch === "*") return row;
    return ifMatch.includes(rowVersion(resource.fields, row)) ? row : "stale";
  }

  return {
    capabilities,
    open(model, resources) {
      opened = model;
      for (const resource of resources) functionsOf(resource);
    },
    async byKeys({ resource, keys, filter }, { signal }) {
      const rows = await readMany(resource, keys, signal);
      return rows.filter((row) => matches(filter, row, resource));
    },
    list: (query, { signal }) => list(query, signal),
    listPer: () => Promise.reject(new Error("A store of functions lists one parent at a time.")),
    async insert({ resource, rows }) {
      const { create } = functionsOf(resource);
      if (create === undefined) throw cannot("created", resource);
      const made: Row[] = [];
      for (const row of rows) made.push(toRow(resource, await create(toValue(resource, row))));
      return made;
    },
    async update(command, { signal }) {
      const { resource, key, set, check } = command;
      const { update } = functionsOf(resource);
      if (update === undefined) throw cannot("changed", resource);
      const before = await checked(command, signal);
      if (typeof before === "string") return { kind: before };
      if (!matches(check, { ...before, ...set }, resource)) return { kind: "refused" };
      const after = toRow(resource, await update(toId(resource, key), toValue(resource, set)));
      return { kind: "done", before, after };
    },
    async remove(command, { signal }) {
      const { resource, key } = command;
      const { remove } = functionsOf(resource);
      if (remove === undefined) throw cannot("deleted", resource);
      const before = await checked(command, signal);
      if (typeof before === "string") return { kind: before };
      await remove(toId(resource, key));
      return { kind: "done", before };
    },
    link: () => Promise.reject(new Error("A store of functions keeps no links.")),
    unlink: () => Promise.reject(new Error("A store of functions keeps no links.")),
    transaction: () => Promise.reject(new Error("A store of functions has no transactions.")),
  };
}

function cannot(what: string, { plural }: ResourceModel): BifocalError {
  return new BifocalError("METHOD_NOT_ALLOWED", `${plural} cannot be ${what} here.`);
}

function viewOf(model: Model | undefined): View {
  if (model === undefined) throw new Error("The store was not opened.");
  const refuse = NO_RELATED as () => never;
  const resourceOf = (name: string): ResourceModel => model.resources.get(name) as ResourceModel;
  return {
    model,
    resourceOf,
    get: refuse,
    all: refuse,
    size: refuse,
    withValue: refuse,
    linked: refuse,
    related: NO_RELATED,
  };
}

/** What a function answered, in stored form and complete. */
function toRow(resource: ResourceModel, value: Value): Row {
  const stored = resource.codec?.toStored(value) ?? (value as Row);
  const row: Record<string, Json> = {};
  for (const { name, type } of resource.fields.values()) {
    const one = stored[name] ?? null;
    if (one === null && !type.nullable) throw new Error(`functionStore: a row of '${resource.name}' lacks '${name}'.`);
    row[name] = one;
  }
  return row;
}

function toValue(resource: ResourceModel, row: Row): Value {
  if (resource.codec === undefined) return row;
  // Only what is there: a change of one field must not write the others.
  const value = resource.codec.toValue(row);
  return Object.fromEntries(Object.keys(row).map((name) => [name, value[name]]));
}

function toId(resource: ResourceModel, key: Key): unknown {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key as string | number];
  const values = resource.key.map((name, index): [string, unknown] => {
    const codec = resource.fields.get(name)?.codec;
    const part = parts[index] as string | number;
    return [name, codec === undefined ? part : codec.toValue(part)];
  });
  return values.length === 1 ? values[0]?.[1] : Object.fromEntries(values);
}

function keysFilter(resource: ResourceModel, keys: readonly Key[]): Filter {
  const [only, ...others] = resource.key;
  if (others.length === 0) {
    return { kind: "compare", field: only as string, operator: "in", value: keys as readonly (string | number)[] };
  }
  const one = (key: Key): Filter => ({
    kind: "and",
    filters: resource.key.map((field, index) => ({
      kind: "compare",
      field,
      operator: "eq",
      value: (key as readonly (string | number)[])[index] as string,
    })),
  });
  return { kind: "or", filters: keys.map(one) };
}
