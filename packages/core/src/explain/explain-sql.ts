import type { AnyApi } from "../http/any-api.ts";
import type { Operation } from "../operation/operation.ts";
import type { Caller, Run } from "../operation/run.ts";

/** The statements of an operation, as `store.explain` of `@bifocal/sql` returns them. */
export interface ExplainedSql {
  /** The statements with their times as readable text, or the reason why they are missing. */
  readonly text: string;
  readonly statements: readonly { readonly sql: string; readonly milliseconds: number; readonly rows: number }[];
}

/** The parts of an API that run an operation for its statements. */
export interface RunnableApi extends Pick<AnyApi, "~stores"> {
  readonly run: Run;
  readonly transaction: (work: () => Promise<void>) => Promise<void>;
}

/** A store that explains its statements. */
interface ExplainingStore {
  readonly explain: (work: () => Promise<unknown>) => Promise<ExplainedSql>;
}

/** Ends the transaction of a write that must have no effect. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}

const READS: ReadonlySet<Operation["kind"]> = new Set(["get", "list", "query", "aggregate", "permissions"]);

const NOT_RUN: { readonly [K in Operation["kind"]]?: string } = {
  act: "Not run: the code of an action can have effects that a rollback doesn't undo.",
  watch: "Not run: a subscription reads rows when they change.",
};

/** Whether `explainSql` can return statements. It needs one store, which is an `sqlStore()` of `@bifocal/sql`. */
export function explainsSql(api: Pick<AnyApi, "~stores">): boolean {
  return findStore(api) !== undefined;
}

/**
 * Runs an operation as a caller and returns its statements. For developers; never send them to clients. With `writes`,
 * it also runs writes and rolls them back. Hooks of a write can have effects that a rollback doesn't undo.
 */
export async function explainSql(
  api: RunnableApi,
  caller: Caller,
  operation: Operation,
  { writes = false }: { readonly writes?: boolean } = {},
): Promise<ExplainedSql> {
  const store = findStore(api);
  const isRead = READS.has(operation.kind);
  const reason =
    NOT_RUN[operation.kind] ??
    (isRead || writes ? undefined : "Not run: only reads are run to show their statements.") ??
    (store === undefined ? "Not available: the API has no SQL store, or several stores." : undefined);
  if (store === undefined || reason !== undefined) return { text: reason ?? "", statements: [] };
  // The stores of an API can open on first use, and `explain` doesn't open them.
  await api.transaction(async () => {});
  let failure: string | undefined;
  const { text, statements } = await store.explain(async () => {
    failure = await (isRead ? run(api, caller, operation) : runAndRollBack(api, caller, operation));
  });
  const notes = [
    ...(statements.length === 0 ? ["No statements."] : [text]),
    ...(failure === undefined ? [] : [`The operation failed: ${failure}`]),
    ...(isRead ? [] : ["The transaction was rolled back."]),
  ];
  return { text: notes.join("\n"), statements };
}

/** Returns the error of an operation that failed. */
async function run(api: RunnableApi, caller: Caller, operation: Operation): Promise<string | undefined> {
  const outcome = await api.run(operation, caller);
  return outcome.kind === "failure" ? `${outcome.error.code}: ${outcome.error.message}` : undefined;
}

async function runAndRollBack(api: RunnableApi, caller: Caller, operation: Operation): Promise<string | undefined> {
  let failure: string | undefined;
  try {
    // Operations of the API join the transaction around them.
    await api.transaction(async () => {
      failure = await run(api, caller, operation);
      throw new RolledBack();
    });
  } catch (thrown) {
    if (!(thrown instanceof RolledBack)) throw thrown;
  }
  return failure;
}

/** With several stores, statements could run outside the transaction and would be explained by another database. */
function findStore(api: Pick<AnyApi, "~stores">): ExplainingStore | undefined {
  const [first, ...others] = api["~stores"];
  return first !== undefined && others.length === 0 && isExplaining(first.store) ? first.store : undefined;
}

function isExplaining(store: object): store is ExplainingStore {
  return "explain" in store && typeof store.explain === "function";
}
