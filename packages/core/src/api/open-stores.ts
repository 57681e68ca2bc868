import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import type { Bus } from "../events/bus.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { StoreUse } from "../store/store-use.ts";
import { writesOf } from "../store/writes-of.ts";
import { StoreOpening } from "./store-opening.ts";
import type { Store, StoreLoad } from "../store/store.ts";
import { observeStore } from "../telemetry/observe-store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";

export interface OpenStores {
  /** The store of each resource. */
  readonly byResource: ReadonlyMap<string, Store>;
  /** The store of all resources that have no store of their own. */
  readonly main: Store;
  /** Returns the writes that the store of a resource supports. */
  readonly writesOf: (resource: ResourceModel) => StoreWrites;
  /** Returns the bus of the first store that has one. */
  readonly bus: () => Bus | undefined;
  readonly uses: readonly StoreUse[];
  /** The functions that return the load of a store, for the stores that report it. */
  readonly loads: readonly (() => StoreLoad)[];
  readonly opening: StoreOpening;
  readonly close: () => Promise<void>;
}

const IDLE: StoreLoad = { waiting: 0, longest: 0 };

/** If a store fails to report its load, no requests are rejected for it. */
function loadOf(store: Store, log: Log): StoreLoad {
  try {
    return store.load?.() ?? IDLE;
  } catch (cause) {
    log.error("A store failed to report its queue length.", { cause });
    return IDLE;
  }
}

/**
 * Assigns each resource its store and opens all stores. Throws a `DefinitionError` if a store lacks a required
 * capability.
 */
export function openStores(
  model: Model,
  store: Store,
  others: Readonly<Record<string, Store | undefined>>,
  log: Log,
  telemetry: Telemetry | undefined,
): OpenStores {
  const mistakes: DefinitionMistake[] = [];
  for (const name of Object.keys(others)) {
    if (model.resources.get(name)?.historyOf === undefined && model.resources.has(name)) continue;
    mistakes.push({
      at: `stores.${name}`,
      problem: `Unknown resource '${name}'.`,
      fix: "Use the name of one of the resources.",
    });
  }
  const observed = new Map<Store, Store>();
  // One wrapper per store, because the engine compares stores by identity.
  const observe = (own: Store): Store => {
    if (telemetry === undefined) return own;
    const known = observed.get(own) ?? observeStore(own, telemetry);
    observed.set(own, known);
    return known;
  };
  const ownOf = (name: string): Store => {
    // A history is written in the transactions of its rows.
    const owner = model.resources.get(name)?.historyOf ?? name;
    return (Object.hasOwn(others, owner) ? others[owner] : undefined) ?? store;
  };
  const byResource = new Map([...model.resources.keys()].map((name) => [name, observe(ownOf(name))]));
  const storeOf = (name: string): Store => byResource.get(name) ?? store;
  for (const resource of model.resources.values())
    for (const check of [checkLinks, checkBulk, checkNested, checkSearch, checkHistory])
      mistakes.push(...check(resource, storeOf));
  if (mistakes.length > 0) throw new DefinitionError(mistakes);

  const uses = usesOf(model, ownOf);
  const inOptions = uses.flatMap(({ store: own, resources }) => own.mistakes?.(model, resources) ?? []);
  if (inOptions.length > 0) throw new DefinitionError(inOptions);
  const opened = uses.map(({ store: own, resources }) => ({ store: observe(own), resources }));
  const opening = new StoreOpening(model, opened, log);
  if (!isInspected()) void opening.start();
  return {
    byResource,
    main: observe(store),
    writesOf: (resource) => writesOf(storeOf(resource.name), resource),
    uses,
    loads: uses.flatMap(({ store: own }) => (own.load === undefined ? [] : [() => loadOf(own, log)])),
    bus: () => uses.map((use) => observe(use.store)).find((own) => own.bus !== undefined)?.bus,
    opening,
    close: async () => {
      await opening.close();
      for (const use of uses) await observe(use.store).close?.();
    },
  };
}

/**
 * Whether a tool loads this API only to inspect it. Its stores are then opened on first use. The tool may use another
 * copy of this package, so it sets a symbol that all copies share.
 */
function isInspected(): boolean {
  return (globalThis as { [INSPECTED]?: boolean })[INSPECTED] === true;
}

const INSPECTED = Symbol.for("bifocal.inspected");

function usesOf(model: Model, ownOf: (name: string) => Store): readonly StoreUse[] {
  const groups = new Map<Store, ResourceModel[]>();
  for (const [name, resource] of model.resources) {
    const own = ownOf(name);
    groups.set(own, [...(groups.get(own) ?? []), resource]);
  }
  return Array.from(groups, ([own, resources]) => ({ store: own, model, resources }));
}

/** Bulk writes are atomic, so the store needs transactions. */
function checkBulk(resource: ResourceModel, storeOf: (name: string) => Store): readonly DefinitionMistake[] {
  const isBulk = Object.values(resource.bulk).some((most) => most > 0);
  if (!isBulk || storeOf(resource.name).capabilities.transactions) return [];
  const problem = "The store of this resource has no transactions, so bulk writes can't be atomic.";
  return [{ at: `${resource.name}.bulk`, problem, fix: "Use another store, or remove 'bulk'." }];
}

/** An entry must not be lost, and must not exist for a change that was rolled back. */
function checkHistory(
  { name, history }: ResourceModel,
  storeOf: (name: string) => Store,
): readonly DefinitionMistake[] {
  const { transactions, writes } = storeOf(name).capabilities;
  if (history === undefined || (transactions && writes)) return [];
  const lacking = transactions ? "doesn't support writes" : "has no transactions";
  const problem = `The store of this resource ${lacking}, so it can't record a history.`;
  return [{ at: `${name}.history`, problem, fix: "Use another store, or remove 'history'." }];
}

function checkSearch(
  { name, search, relations }: ResourceModel,
  storeOf: (name: string) => Store,
): readonly DefinitionMistake[] {
  return search.flatMap(([first, second]) => {
    const owner = second === undefined ? name : (relations.get(first)?.target ?? name);
    if (storeOf(owner).capabilities.search === true && storeOf(name).capabilities.search === true) return [];
    const problem = `The store of '${owner}' doesn't support searches.`;
    return [{ at: `${name}.search`, problem, fix: "Use another store, or remove the field from 'search'." }];
  });
}

function checkLinks(resource: ResourceModel, storeOf: (name: string) => Store): readonly DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.through === undefined) continue;
    const at = `${resource.name}.relations.${relation.name}`;
    const store = storeOf(resource.name);
    if (!store.capabilities.links) {
      const problem = "The store of this resource doesn't support many-to-many relations.";
      mistakes.push({ at, problem, fix: "Use another store, or define a resource for the links." });
    } else if (!store.capabilities.listPer) {
      const problem = "The store of this resource supports links but lacks 'listPer', which reading them requires.";
      mistakes.push({ at, problem, fix: "Add 'listPer' to the store, or use another store." });
    } else if (storeOf(relation.target) !== store) {
      const problem = `The two resources of the relation, '${resource.name}' and '${relation.target}', are in different stores.`;
      mistakes.push({ at, problem, fix: "Put both in the same store." });
    }
  }
  return mistakes;
}

/** Nested writes are atomic, so one transaction has to contain them. */
function checkNested({ name, nested }: ResourceModel, storeOf: (name: string) => Store): readonly DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  for (const relation of new Set(Object.values(nested).flat())) {
    const at = `${name}.relations.${relation.name}`;
    const options = relation.links > 0 ? "'links'" : "'creates' and 'writes'";
    const fix = `Put both in one store that has transactions, or remove ${options}.`;
    if (storeOf(relation.target) !== storeOf(name)) {
      const problem = `The two resources of the relation, '${name}' and '${relation.target}', are in different stores, so they can't be written atomically.`;
      mistakes.push({ at, problem, fix });
    } else if (!storeOf(name).capabilities.transactions) {
      const problem = "The store of this resource has no transactions, so related rows can't be written atomically.";
      mistakes.push({ at, problem, fix });
    }
  }
  return mistakes;
}
