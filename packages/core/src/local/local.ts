import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, Model, ResourceModel } from "../model/model.ts";
import { createCaller } from "../operation/create-caller.ts";
import { lowerKey } from "../operation/key.ts";
import type { Limits } from "../limits/limits.ts";
import { lowerFilter } from "../lowering/lower-filter.ts";
import { checkNames, lowerLocalList, lowerSelect, namedIn } from "./lower-select.ts";
import { wholeSelection } from "../lowering/lower-selection.ts";
import type { ChangeKind, Operation, Precondition } from "../operation/operation.ts";
import type { Change, Outcome } from "../operation/outcome.ts";
import { refuse } from "../errors/refuse.ts";
import type { Run } from "../operation/run.ts";
import type { Selection } from "../operation/selection.ts";
import { localBatch } from "./local-batch.ts";
import { LOCAL_ROW, localChanges, toLocalPage } from "./local-result.ts";

type Options = Readonly<Record<string, unknown>>;
type Succeeded = Exclude<Outcome, { kind: "failure" }>;

/** `LocalResource` without its types, which `Local<…>` in definition/local.ts adds. */
export type UntypedLocal = Readonly<Record<string, unknown>>;

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
    for (const resource of model.resources.values())
      local[resource.name] = localResource({ model, run, limits, principal, signal, resource });
    return Object.freeze(local);
  };
}

interface LocalOptions {
  readonly model: Model;
  readonly run: Run;
  readonly limits: Limits;
  readonly principal: Principal | null;
  /** The default signal of calls without their own. */
  readonly signal: AbortSignal | undefined;
  readonly resource: ResourceModel;
}

function localResource(place: LocalOptions): UntypedLocal {
  const { model, limits, resource } = place;
  const { name } = resource;
  const target = { model, resource };
  const select = (options: Options): Selection => lowerSelect(target, options["select"], limits, ["select"]);
  const keyOf = (id: unknown): Key => {
    const key = lowerKey(resource, id);
    if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${name} with this id.`);
    return key;
  };

  async function ask(operation: Operation, options: Options): Promise<Succeeded> {
    const outcome = await place.run(
      operation,
      createCaller(place.principal, (options["signal"] as AbortSignal | undefined) ?? place.signal),
    );
    if (outcome.kind === "failure") throw outcome.error;
    return outcome;
  }

  async function askRow(operation: Operation, options: Options): Promise<unknown> {
    const outcome = await ask(operation, options);
    if (outcome.kind === "item") return outcome.row.write(LOCAL_ROW);
    throw new BifocalError("FORBIDDEN", `The write succeeded, but you are not allowed to read this ${name}.`);
  }

  async function write(
    kind: "create" | "replace" | "update",
    id: readonly unknown[],
    input: unknown,
    options: Options,
  ): Promise<unknown> {
    checkNames(options, kind === "create" ? ["select", "signal"] : ["select", "signal", "ifMatch"], []);
    const selection = select(options);
    const written = { resource: name, input, form: "value", selection, ...namedIn(options) } as const;
    const operation =
      kind === "create" ? { kind, ...written } : { kind, ...written, key: keyOf(id[0]), ...preconditionOf(options) };
    return askRow(operation, options);
  }

  async function link(kind: "link" | "unlink", id: unknown, relation: string, other: unknown): Promise<void> {
    const found = resource.relations.get(relation);
    if (found?.kind !== "manyToMany")
      refuse([], "unknown_relation", `'${name}' has no many-to-many relation '${relation}'.`);
    const far = model.resources.get(found.target) as ResourceModel;
    const key = lowerKey(far, other);
    if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${far.name} with this id.`);
    await ask({ kind, resource: name, key: keyOf(id), relation, target: key }, {});
  }

  async function act(action: string, key: Key | undefined, input: unknown): Promise<unknown> {
    const selection = wholeSelection(resource);
    const at = key === undefined ? {} : { key };
    const outcome = await ask({ kind: "act", resource: name, action, ...at, input, form: "value", selection }, {});
    if (outcome.kind === "item") return outcome.row.write(LOCAL_ROW);
    return outcome.kind === "result" ? resource.actions.get(action)?.output?.toValue(outcome.value) : undefined;
  }

  const actions: Record<string, unknown> = {};
  for (const { name: action, on } of resource.actions.values()) {
    actions[action] =
      on === "item"
        ? async (id: unknown, input?: unknown) => act(action, keyOf(id), input)
        : async (input?: unknown) => act(action, undefined, input);
  }

  return Object.freeze({
    async list(query: Options = {}) {
      checkNames(query, ["filter", "sort", "page", "count", "select", "signal"], []);
      const selection = select(query);
      const count = query["count"] === true ? { count: true } : {};
      const parts = lowerLocalList(target, query, limits, []);
      const named = namedIn(query);
      const outcome = await ask({ kind: "list", resource: name, ...parts, ...count, selection, ...named }, query);
      if (outcome.kind !== "page") throw new Error("A list operation returned an unexpected outcome.");
      return toLocalPage(outcome.page);
    },
    async get(id: unknown, options: Options = {}) {
      checkNames(options, ["select", "signal"], []);
      const key = lowerKey(resource, id);
      const selection = select(options);
      if (key === undefined) return null;
      try {
        const get = { kind: "get", resource: name, key, selection, ...namedIn(options) } as const;
        return await askRow(get, options);
      } catch (thrown) {
        if (thrown instanceof BifocalError && thrown.code === "NOT_FOUND") return null;
        throw thrown;
      }
    },
    create: async (data: unknown, options: Options = {}) => write("create", [], data, options),
    replace: async (id: unknown, data: unknown, options: Options = {}) => write("replace", [id], data, options),
    update: async (id: unknown, changes: unknown, options: Options = {}) => write("update", [id], changes, options),
    async delete(id: unknown, options: Options = {}) {
      checkNames(options, ["signal", "ifMatch"], []);
      await ask({ kind: "delete", resource: name, key: keyOf(id), ...preconditionOf(options) }, options);
    },
    ...localBatch(place, ask),
    link: async (id: unknown, relation: string, other: unknown) => link("link", id, relation, other),
    unlink: async (id: unknown, relation: string, other: unknown) => link("unlink", id, relation, other),
    watch(query: Options = {}): AsyncIterableIterator<unknown> {
      checkNames(query, ["select", "signal", "on", "id", "filter", "after", "initial"], []);
      const selection = select(query);
      const filter = lowerFilter(target, query["filter"], { form: "value", limits, path: ["filter"] });
      const after = query["after"] as string | undefined;
      const operation: Operation = {
        kind: "watch",
        resource: name,
        on: (query["on"] as readonly ChangeKind[] | undefined) ?? ["created", "updated", "deleted"],
        ...(query["id"] === undefined ? {} : { key: keyOf(query["id"]) }),
        ...(filter === undefined ? {} : { filter }),
        ...(after === undefined ? {} : { after }),
        ...(query["initial"] === true ? { initial: true as const } : {}),
        selection,
        ...namedIn(query),
      };
      return localChanges(openStream(ask(operation, query)));
    },
    actions: Object.freeze(actions),
  });
}

/** Accepts `*`, one version or a list of versions. */
function preconditionOf({ ifMatch }: Options): { readonly ifMatch?: Precondition } {
  if (ifMatch === undefined) return {};
  if (ifMatch === "*") return { ifMatch };
  return { ifMatch: (Array.isArray(ifMatch) ? ifMatch : [ifMatch]) as readonly string[] };
}

async function openStream(outcome: Promise<Succeeded>): Promise<AsyncIterableIterator<Change>> {
  const opened = await outcome;
  if (opened.kind !== "stream") throw new Error("A watch operation returned an unexpected outcome.");
  return opened.changes;
}
