import { createCaller } from "../operation/create-caller.ts";
import { createOperationContext, type Engine, type OperationContext } from "./operation-context.ts";
import { createRowStore, type OwnRowStore } from "./row-store.ts";
import { ambientEngine } from "./ambient-transaction.ts";
import { transact } from "./write/transact.ts";

/**
 * Creates the rows of a resource for the API's own code, without access rules and with the operation timeout. Each
 * write is a transaction, or part of the enclosing one, and emits its event. `opening` waits until the stores are open.
 */
export function createTrustedRows(
  engine: Engine,
  resource: string,
  opening: () => Promise<void> | undefined,
): OwnRowStore {
  async function run<T>(work: (context: OperationContext) => Promise<T>): Promise<T> {
    await opening();
    const caller = createCaller(null, undefined);
    const deadline = engine.createDeadline(caller);
    return deadline.limit(work(createOperationContext(ambientEngine(engine) ?? engine, caller, deadline, true)));
  }
  const read = <T>(work: (rows: OwnRowStore) => Promise<T>): Promise<T> =>
    run((context) => work(createRowStore(context, resource, [])));
  const write = <T>(work: (rows: OwnRowStore) => Promise<T>): Promise<T> =>
    run((context) => transact(context, resource, (inner, events) => work(createRowStore(inner, resource, events))));
  return {
    get: (id) => read((rows) => rows.get(id)),
    list: (query) => read((rows) => rows.list(query)),
    create: (data) => write((rows) => rows.create(data)),
    update: (id, changes) => write((rows) => rows.update(id, changes)),
    updateWhere: (id, values, changes) => write((rows) => rows.updateWhere(id, values, changes)),
    delete: (id) => write((rows) => rows.delete(id)),
  };
}
