import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import { fieldOf } from "../model/field-of.ts";
import type { Key, Model, QueryModel, ResourceModel } from "../model/model.ts";
import { resourceOf } from "../model/resource-of.ts";
import { createCaller, withSignal } from "../operation/create-caller.ts";
import { lowerKey } from "../operation/key.ts";
import { lowerCount } from "../lowering/lower-count.ts";
import { lowerDeleted } from "../lowering/lower-deleted.ts";
import type { Limits } from "../limits/limits.ts";
import { checkNames, lowerLocalList, lowerSelected, preconditionOf } from "./local-options.ts";
import type { Operation, Selected } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import { refuse } from "../errors/refuse.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { ReadableRow, RowPage, RowWriter } from "../operation/visible-rows.ts";
import { lowerLocalAggregate, toLocalGroups } from "./local-aggregate.ts";
import { decoderOf } from "./local-groups.ts";
import { createBatch, deleteBatch, updateBatch } from "./local-batch.ts";
import { historyPage, lowerLocalHistory } from "./local-history.ts";
import { lowerLocalQuery } from "./local-query.ts";
import { localChanges, lowerLocalWatch } from "./local-watch.ts";

type Options = Readonly<Record<string, unknown>>;
/** The options of a call without any. */
const NONE: Options = Object.freeze({});

type Succeeded = Exclude<Outcome, { kind: "failure" }>;

/** `LocalResource` without its types, which `Local<…>` in definition/local.ts adds. */
export type UntypedLocal = Readonly<Record<string, unknown>>;

/** Creates a plain object of decoded values: dates are `Date` objects, relations have their own names, lists are arrays. */
const LOCAL_ROW: RowWriter<Record<string, unknown>> = {
  create: () => ({}),
  field: (row, name, value, resource) => {
    const codec = fieldOf(resource, name)?.codec;
    row[name] = codec === undefined ? value : codec.toValue(value);
  },
  one: (row, { relation }, related) => {
    row[relation] = related;
  },
  many: (row, { relation, selection }, page) => {
    row[relation] = page.write(LOCAL_ROW, selection);
  },
  groups: (row, { relation, aggregation }, { groups }, target) => {
    row[relation] = aggregation === undefined ? groups : groups.map(decoderOf(target, aggregation));
  },
};

const toItem = (row: ReadableRow): Record<string, unknown> => row.write(LOCAL_ROW);

/**
 * Returns a function that creates, for a principal, an object with the methods of all resources. They run operations
 * like any request.
 */
export function createLocal(
  model: Model,
  run: Run,
  limits: Limits,
): (principal: Principal | null, signal?: AbortSignal) => Readonly<Record<string, UntypedLocal>> {
  return (principal, signal) => {
    const local: Record<string, UntypedLocal> = {};
    const callerOf = (own: AbortSignal | undefined): Caller => createCaller(principal, own ?? signal);
    // The method `history` reads the rows of histories.
    for (const resource of model.resources.values())
      if (resource.historyOf === undefined)
        local[resource.name] = localResource({ model, run, limits, callerOf, resource });
    return Object.freeze(local);
  };
}

/** Returns a function that creates an object with the methods of one resource, for a caller of another operation. */
export function createLocalFor(
  model: Model,
  run: Run,
  limits: Limits,
): (caller: Caller, resource: string) => UntypedLocal {
  return (caller, name) => {
    const callerOf = (own: AbortSignal | undefined): Caller => (own === undefined ? caller : withSignal(caller, own));
    return localResource({ model, run, limits, callerOf, resource: resourceOf(model, name) });
  };
}

interface LocalOptions {
  readonly model: Model;
  readonly run: Run;
  readonly limits: Limits;
  /** Returns the caller of a call with this signal. */
  readonly callerOf: (signal: AbortSignal | undefined) => Caller;
  readonly resource: ResourceModel;
}

function localResource(place: LocalOptions): UntypedLocal {
  const { model, limits, resource } = place;
  const { name } = resource;
  const target = { model, resource };
  const whole: Selected = { selection: resource.whole };
  /** Rejects unknown options, and lowers what the others select. */
  const selectedBy = (options: Options, known: readonly string[]): Selected => {
    if (options === NONE) return whole;
    checkNames(options, known, []);
    return lowerSelected(target, options, limits);
  };

  async function ask(operation: Operation, options: Options): Promise<Succeeded> {
    const outcome = await place.run(operation, place.callerOf(options["signal"] as AbortSignal | undefined));
    if (outcome.kind === "failure") throw outcome.error;
    return outcome;
  }

  /** Returns null if the caller can't read the row that it wrote. */
  async function askRow(operation: Operation, options: Options): Promise<unknown> {
    const outcome = await ask(operation, options);
    return outcome.kind === "item" ? toItem(outcome.row) : null;
  }

  async function write(
    kind: "create" | "replace" | "update",
    id: readonly unknown[],
    input: unknown,
    options: Options,
  ): Promise<unknown> {
    const selected = selectedBy(options, kind === "create" ? ["select", "signal"] : ["select", "signal", "ifMatch"]);
    const written = { resource: name, input, form: "value", ...selected } as const;
    const operation =
      kind === "create"
        ? { kind, ...written }
        : { kind, ...written, key: keyOf(resource, id[0]), ...preconditionOf(options) };
    return askRow(operation, options);
  }

  async function link(kind: "link" | "unlink", id: unknown, relation: string, other: unknown): Promise<void> {
    const found = resource.relations.get(relation);
    if (found?.kind !== "manyToMany")
      refuse([], "unknown_relation", `'${name}' has no many-to-many relation '${relation}'.`);
    const far = keyOf(model.resources.get(found.target) as ResourceModel, other);
    await ask({ kind, resource: name, key: keyOf(resource, id), relation, target: far }, NONE);
  }

  async function act(action: string, key: Key | undefined, input: unknown): Promise<unknown> {
    const at = key === undefined ? {} : { key };
    const outcome = await ask({ kind: "act", resource: name, action, ...at, input, form: "value", ...whole }, NONE);
    if (outcome.kind === "item") return toItem(outcome.row);
    if (outcome.kind === "result") return resource.actions.get(action)?.output?.toValue(outcome.value);
    return key === undefined ? undefined : null;
  }

  async function history(id: unknown, options: Options = NONE): Promise<object> {
    const { principal } = place.callerOf(undefined);
    const operation = lowerLocalHistory(place, keyOf(resource, id), options, principal);
    return toLocalPage(historyPage(operation, await ask(operation, options)));
  }

  const deleted = resource.softDelete === undefined ? [] : ["deleted"];
  const actions: Record<string, unknown> = {};
  for (const { name: action, on } of resource.actions.values()) {
    actions[action] =
      on === "item"
        ? async (id: unknown, input?: unknown) => act(action, keyOf(resource, id), input)
        : async (input?: unknown) => act(action, undefined, input);
  }

  async function runQuery(query: QueryModel, args: readonly unknown[]): Promise<unknown> {
    const { operation, options } = lowerLocalQuery(target, query, args, limits);
    const outcome = await ask(operation, options);
    if (outcome.kind === "page") return toLocalPage(outcome.page);
    if (outcome.kind === "result") return query.output?.toValue(outcome.value);
    throw new Error("A query returned an unexpected outcome.");
  }

  const queries: Record<string, unknown> = {};
  for (const query of resource.queries.values())
    queries[query.name] = async (...args: unknown[]) => runQuery(query, args);

  return Object.freeze({
    async list(query: Options = NONE) {
      const selected = selectedBy(query, ["filter", "search", "sort", "page", "count", ...deleted, "select", "signal"]);
      const counted = lowerCount(resource, query["count"], ["count"]);
      const count = counted === false ? {} : { count: counted };
      const shown = lowerDeleted(resource, query["deleted"]);
      const parts = lowerLocalList(target, query, limits, []);
      const outcome = await ask({ kind: "list", resource: name, ...parts, ...count, ...shown, ...selected }, query);
      if (outcome.kind !== "page") throw new Error("A list operation returned an unexpected outcome.");
      return toLocalPage(outcome.page);
    },
    async aggregate(query: Options = NONE) {
      const operation = lowerLocalAggregate(target, query, limits);
      const outcome = await ask(operation, query);
      if (outcome.kind !== "groups") throw new Error("An aggregate operation returned an unexpected outcome.");
      return toLocalGroups(resource, operation, outcome.page);
    },
    async get(id: unknown, options: Options = NONE) {
      const selected = selectedBy(options, [...deleted, "select", "signal"]);
      const shown = lowerDeleted(resource, options["deleted"]);
      const key = lowerKey(resource, id);
      if (key === undefined) return null;
      try {
        return await askRow({ kind: "get", resource: name, key, ...shown, ...selected }, options);
      } catch (thrown) {
        if (thrown instanceof BifocalError && thrown.code === "NOT_FOUND") return null;
        throw thrown;
      }
    },
    create: async (data: unknown, options: Options = NONE) => write("create", [], data, options),
    replace: async (id: unknown, data: unknown, options: Options = NONE) => write("replace", [id], data, options),
    update: async (id: unknown, changes: unknown, options: Options = NONE) => write("update", [id], changes, options),
    async delete(id: unknown, options: Options = NONE) {
      checkNames(options, ["signal", "ifMatch"], []);
      await ask({ kind: "delete", resource: name, key: keyOf(resource, id), ...preconditionOf(options) }, options);
    },
    createMany: async (inputs: readonly unknown[], options: Options = NONE) => {
      const rows = await createBatch(place, ask, inputs, selectedBy(options, ["select", "signal"]), options);
      return rows.map((row) => row && toItem(row));
    },
    updateMany: async (filter: unknown, input: unknown, options: Options = NONE) =>
      updateBatch(place, ask, filter, input, options),
    deleteMany: async (filter: unknown, options: Options = NONE) => deleteBatch(place, ask, filter, options),
    link: async (id: unknown, relation: string, other: unknown) => link("link", id, relation, other),
    unlink: async (id: unknown, relation: string, other: unknown) => link("unlink", id, relation, other),
    watch(query: Options = NONE): AsyncIterableIterator<unknown> {
      const selected = selectedBy(query, ["select", "signal", "on", "id", "filter", "after", "initial"]);
      const key = query["id"] === undefined ? undefined : keyOf(resource, query["id"]);
      const operation = lowerLocalWatch(target, query, selected, key, limits);
      return localChanges(ask(operation, query), toItem);
    },
    actions: Object.freeze(actions),
    queries: Object.freeze(queries),
    ...(resource.softDelete === undefined ? {} : { restore: actions["restore"] }),
    ...(resource.history === undefined ? {} : { history }),
  });
}

function keyOf(resource: ResourceModel, id: unknown): Key {
  const key = lowerKey(resource, id);
  if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${resource.name} with this id.`);
  return key;
}

function toLocalPage(page: RowPage): object {
  const { length, hasNext, hasPrevious, total, totalIsExact } = page;
  return {
    items: page.write(LOCAL_ROW),
    ...(total === undefined ? {} : { total, totalIsExact }),
    hasNext,
    hasPrevious,
    startCursor: length === 0 ? null : page.cursor(0),
    endCursor: length === 0 ? null : page.cursor(length - 1),
  };
}
