import type { ReadContext } from "../../definition/read-context.ts";
import type { AnyResource } from "../../definition/resource.ts";
import type { ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { resourceName } from "../code-context.ts";
import { createLoadContext } from "../load-context.ts";
import type { OperationContext } from "../operation-context.ts";
import { createRowStore } from "../row-store.ts";

type UntypedContext = ReadContext<never, never, never>;

/** Creates what a query receives, with `facts`. The response is private once the query reads its caller. */
export function createReadContext<Facts extends object>(
  context: OperationContext,
  resource: ResourceModel,
  facts: Facts,
): UntypedContext & Facts {
  const { cacheability, engine } = context;
  const loading = createLoadContext(context, resource);
  const locals = (given: AnyResource | string): object =>
    onlyReads(loading.locals(given as string), ["list", "get", "aggregate", "queries"]);
  const stores = (given: AnyResource | string): object => {
    const name = resourceName(engine.model, given);
    // Callers of different tenants read different rows.
    if (resourceOf(engine.model, name).reachesTenants) cacheability.personal = true;
    return onlyReads(createRowStore(context, name, []), ["get", "list"]);
  };
  return {
    ...facts,
    get principal() {
      return loading.principal;
    },
    get local() {
      return locals(resource.name) as never;
    },
    locals: locals as UntypedContext["locals"],
    get store() {
      return stores(resource.name) as never;
    },
    stores: stores as UntypedContext["stores"],
    get signal() {
      return loading.signal;
    },
  };
}

/** Copies calls. Those that aren't among `names` throw, also for callers without type checks. */
function onlyReads(calls: object, names: readonly string[]): object {
  const reads = {};
  for (const [name, call] of Object.entries(calls)) {
    const refuse = (): never => {
      throw new Error(`A query only reads, so it can't use '${name}'.`);
    };
    Object.defineProperty(reads, name, names.includes(name) ? { value: call, enumerable: true } : { get: refuse });
  }
  return reads;
}
