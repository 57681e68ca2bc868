import type { StatementTenants, StoreContext } from "../../store/store.ts";

const ALL: StatementTenants = { reachOf: () => "all" };

/** Returns the context of a statement that reaches the rows of all tenants instead of the caller's. */
export function withAllTenants(context: StoreContext): StoreContext {
  return new ContextOfAllTenants(context);
}

/** Reads the signal only when a store does, because that costs more. */
class ContextOfAllTenants implements StoreContext {
  readonly tenants = ALL;
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  get signal(): AbortSignal | undefined {
    return this.#context.signal;
  }

  get isOver(): boolean {
    return this.#context.isOver ?? this.signal?.aborted ?? false;
  }
}
