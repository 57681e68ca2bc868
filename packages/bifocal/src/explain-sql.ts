import type { Principal, Translation } from "@bifocal/core";
import { UsageError } from "./command.ts";
import type { LoadedApi } from "./load-api.ts";

/** The statements of an operation, as `store.explain` of `@bifocal/sql` returns them. */
export interface ExplainedSql {
  readonly text: string;
  readonly statements: readonly { readonly sql: string; readonly milliseconds: number; readonly rows: number }[];
}

/** A store that explains its statements. */
interface ExplainingStore {
  readonly explain: (work: () => Promise<unknown>) => Promise<ExplainedSql>;
}

type Operation = Translation["operation"];
type Run = LoadedApi["run"];

/** Ends the transaction of a write that must have no effect. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}

const READS: ReadonlySet<Operation["kind"]> = new Set(["get", "list", "query", "aggregate", "permissions"]);

const NOT_RUN: { readonly [K in Operation["kind"]]?: string } = {
  act: "Not run: the code of an action can have effects that a rollback doesn't undo.",
  watch: "Not run: a subscription reads rows when they change.",
};

/** Runs an operation and returns its statements. Writes are rolled back. */
export async function explainSql(
  api: LoadedApi,
  principal: Principal | null,
  operation: Operation,
): Promise<ExplainedSql> {
  const store = findStore(api);
  const reason = NOT_RUN[operation.kind];
  if (reason !== undefined) return { text: reason, statements: [] };
  // The stores of a loaded API open on first use, and `explain` doesn't open them.
  await api.transaction(async () => {});
  const isRead = READS.has(operation.kind);
  let failure: string | undefined;
  const { text, statements } = await store.explain(async () => {
    failure = await (isRead ? run(api, principal, operation) : runAndRollBack(api, principal, operation));
  });
  const notes = [
    ...(statements.length === 0 ? ["No statements."] : [text]),
    ...(failure === undefined ? [] : [`The operation failed: ${failure}`]),
    ...(isRead ? [] : ["The transaction was rolled back."]),
  ];
  return { text: notes.join("\n"), statements };
}

/** Returns the error of an operation that failed. */
async function run(api: LoadedApi, principal: Principal | null, operation: Operation): Promise<string | undefined> {
  const caller: Parameters<Run>[1] = { principal, signal: undefined, requestId: () => "translate" };
  const outcome = await api.run(operation, caller);
  return outcome.kind === "failure" ? `${outcome.error.code}: ${outcome.error.message}` : undefined;
}

async function runAndRollBack(
  api: LoadedApi,
  principal: Principal | null,
  operation: Operation,
): Promise<string | undefined> {
  let failure: string | undefined;
  try {
    // Operations of the API join the transaction around them.
    await api.transaction(async () => {
      failure = await run(api, principal, operation);
      throw new RolledBack();
    });
  } catch (thrown) {
    if (!(thrown instanceof RolledBack)) throw thrown;
  }
  return failure;
}

/** With several stores, statements could run outside the transaction and would be explained by another database. */
function findStore(api: LoadedApi): ExplainingStore {
  const [first, ...others] = api["~stores"];
  if (first === undefined || others.length > 0 || !explains(first.store))
    throw new UsageError("--sql needs an API with one store, which is an sqlStore() of @bifocal/sql.");
  return first.store;
}

function explains(store: object): store is ExplainingStore {
  return "explain" in store && typeof store.explain === "function";
}
