import { BifocalError } from "./errors/bifocal-error.ts";
import { DefinitionError, type DefinitionMistake } from "./errors/definition-error.ts";
import type { Bus } from "./events/bus.ts";
import type { Model, ResourceModel } from "./model/model.ts";
import type { Store } from "./store/store.ts";
import { observeStore } from "./telemetry/observe-store.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Log } from "./util/log.ts";

export interface OpenStores {
  readonly storeOf: (resource: string) => Store;
  /** Of all resources that have none of their own. */
  readonly main: Store;
  /** What the stores bring along to reach other instances; of several, the first. */
  readonly bus: () => Bus | undefined;
  /** What is still to be waited for; undefined once all are open. */
  readonly opening: () => Promise<void> | undefined;
  readonly close: () => Promise<void>;
}

/** Gives each resource its store and opens them all. Throws `DefinitionError` for what a store cannot do. */
export function openStores(
  model: Model,
  store: Store,
  others: Readonly<Record<string, Store | undefined>>,
  log: Log,
  telemetry: Telemetry | undefined,
): OpenStores {
  const mistakes: DefinitionMistake[] = [];
  for (const name of Object.keys(others)) {
    if (model.resources.has(name)) continue;
    mistakes.push({
      at: `stores.${name}`,
      problem: `There is no resource '${name}'.`,
      fix: "Name one of the resources.",
    });
  }
  const observed = new Map<Store, Store>();
  // One for each, because the engine tells stores apart by identity.
  const observe = (own: Store): Store => {
    if (telemetry === undefined) return own;
    const known = observed.get(own) ?? observeStore(own, telemetry);
    observed.set(own, known);
    return known;
  };
  const byResource = new Map([...model.resources.keys()].map((name) => [name, observe(others[name] ?? store)]));
  const storeOf = (name: string): Store => byResource.get(name) ?? observe(store);
  for (const resource of model.resources.values())
    mistakes.push(...checkLinks(resource, storeOf), ...checkBulk(resource, storeOf));
  if (mistakes.length > 0) throw new DefinitionError(mistakes);

  const groups = new Map<Store, ResourceModel[]>();
  for (const [name, own] of byResource) {
    groups.set(own, [...(groups.get(own) ?? []), model.resources.get(name) as ResourceModel]);
  }
  const pending: Promise<void>[] = [];
  for (const [own, resources] of groups) {
    const opened = own.open(model, resources);
    if (opened instanceof Promise) pending.push(opened);
  }
  let opening: Promise<void> | undefined;
  if (pending.length > 0) {
    opening = Promise.all(pending).then(
      () => {
        opening = undefined;
      },
      (thrown: unknown) => {
        log.error("A store could not be opened.", { cause: thrown });
        throw new BifocalError("UNAVAILABLE", "The data is out of reach.", { cause: thrown });
      },
    );
    // Whoever waits hears of it; nobody waiting must not end the process.
    opening.catch(() => {});
  }
  return {
    storeOf,
    main: observe(store),
    bus: () => [...groups.keys()].find((own) => own.bus !== undefined)?.bus,
    opening: () => opening,
    close: async () => {
      await opening?.catch(() => {});
      for (const own of groups.keys()) await own.close?.();
    },
  };
}

/** All or nothing needs a store that can take back what it did. */
function checkBulk(resource: ResourceModel, storeOf: (name: string) => Store): readonly DefinitionMistake[] {
  const isBulk = Object.values(resource.bulk).some((most) => most > 0);
  if (!isBulk || storeOf(resource.name).capabilities.transactions) return [];
  const problem = "The store of this resource has no transactions, so many rows cannot be written all or none.";
  return [{ at: `${resource.name}.bulk`, problem, fix: "Use another store, or leave 'bulk' out." }];
}

function checkLinks(resource: ResourceModel, storeOf: (name: string) => Store): readonly DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  for (const relation of resource.relations.values()) {
    if (relation.through === undefined) continue;
    const at = `${resource.name}.relations.${relation.name}`;
    const store = storeOf(resource.name);
    if (!store.capabilities.links) {
      const problem = "The store of this resource keeps no many-to-many links.";
      mistakes.push({ at, problem, fix: "Use another store, or a resource of its own for the links." });
    } else if (storeOf(relation.target) !== store) {
      const problem = `Its two sides, '${resource.name}' and '${relation.target}', are in different stores.`;
      mistakes.push({ at, problem, fix: "Keep both in one store." });
    }
  }
  return mistakes;
}
