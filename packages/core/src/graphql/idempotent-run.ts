import { canonicalJson } from "../util/canonical-json.ts";
import { checkIdempotencyKey } from "../lowering/idempotency/parse-idempotency-key.ts";
import { type IdempotencySettings, runWithKey } from "../lowering/idempotency/run-with-key.ts";
import type { Limits } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Caller, Run } from "../operation/run.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/** The keys of operations that were lowered but have not run yet. */
const KEYS = new WeakMap<Operation, string>();

/** Remembers the argument `idempotencyKey` of the root field of an operation. Throws BAD_REQUEST for a malformed key. */
export function noteIdempotencyKey(operation: Operation, key: unknown): void {
  if (key !== undefined && key !== null) KEYS.set(operation, checkIdempotencyKey(key));
}

/** Keys of a GraphQL request. */
export interface RequestKeys {
  /** The `Idempotency-Key` of the request, for an operation without a key of its own. */
  readonly header?: string | undefined;
  /** Called with each key whose write had been done before. */
  readonly onReplay?: (key: string) => void;
}

/** Runs an operation, and a write with a key only once. */
export type RunOnce = (
  run: Run,
  operation: Operation,
  caller: Caller,
  cost?: number,
  keys?: RequestKeys,
) => MaybePromise<Outcome>;

export function createRunOnce(settings: IdempotencySettings, limits: Limits): RunOnce {
  return (run, operation, caller, cost, keys) => {
    if (!isWrite(operation)) return run(operation, caller, cost);
    const key = KEYS.get(operation) ?? keys?.header;
    if (key === undefined) return run(operation, caller, cost);
    const content = ["graphql", canonicalJson({ ...operation, selection: undefined, named: undefined })];
    const keyed = { key, caller, content, limits };
    return runWithKey(settings, keyed, (idempotency) => run({ ...operation, idempotency }, caller, cost)).then(
      ({ value, isReplay }) => {
        if (isReplay) keys?.onReplay?.(key);
        return value;
      },
      (thrown: unknown) => {
        if (!isBifocalError(thrown)) throw thrown;
        return { kind: "failure", error: thrown };
      },
    );
  };
}

type Read = Extract<Operation, { kind: "get" | "list" | "aggregate" | "query" | "permissions" | "watch" }>;
const READS: Readonly<Record<Read["kind"], true>> = {
  get: true,
  list: true,
  aggregate: true,
  query: true,
  permissions: true,
  watch: true,
};

function isWrite(operation: Operation): operation is Exclude<Operation, Read> {
  return !Object.hasOwn(READS, operation.kind);
}
