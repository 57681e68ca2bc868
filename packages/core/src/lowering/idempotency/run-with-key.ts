import { hash } from "../../runtime/crypto.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Idempotency } from "../../operation/operation.ts";
import type { Caller } from "../../operation/run.ts";
import type { Json } from "../../util/json.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { ClaimResult, IdempotencyStore } from "./idempotency-store.ts";

export interface IdempotencySettings {
  readonly store: IdempotencyStore;
  /** Seconds for which a request is remembered. */
  readonly ttl: number;
  /** Returns the tenants of a caller. A caller that changes its tenant has other keys. */
  readonly tenantsOf: (caller: Caller) => readonly unknown[];
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  readonly caller: Caller;
  /** Everything that a retry has in common with the first request. */
  readonly content: readonly unknown[];
  readonly limits: Limits;
}

/**
 * Runs a request with an idempotency key once. A retry is replayed under the rules of that moment. A different request
 * with the same key fails with 422, and a retry while the first request is running with 409. A failed request is
 * forgotten, so that it can be retried (docs/adr/0036).
 */
export async function runWithKey<T>(
  { store, ttl, tenantsOf }: IdempotencySettings,
  { key, caller, content, limits }: KeyedRequest,
  run: (idempotency: Idempotency) => MaybePromise<T>,
): Promise<{ readonly value: T; readonly isReplay: boolean }> {
  const token = digest([...namespaceOf(caller), ...tenantsOf(caller), key]);
  const fingerprint = digest(content);
  const now = Date.now();
  const expires = now + ttl * 1_000;
  const claim = await store.claim({ token, fingerprint, lease: now + 2 * limits.query.timeout, expires });
  if (claim.kind !== "new") refuseOther(claim, fingerprint);
  const known = claim.kind === "done" ? { receipt: claim.answer.receipt } : {};
  let settled: { readonly receipt: Json; readonly isReplay: boolean } | undefined;
  const settle: Idempotency["settle"] = (receipt, isReplay) => {
    settled = { receipt, isReplay };
  };
  const runSettled = async (): Promise<T> => run({ token, fingerprint, expires, ...known, settle });
  const value =
    claim.kind === "new" ? await runFirst(store, token, runSettled, () => settled?.receipt) : await runSettled();
  return { value, isReplay: settled?.isReplay === true };
}

/**
 * Returns the namespace of a caller's keys. A principal is identified by id and issuer, an anonymous caller by its
 * address. Roles and scopes don't count, because a retry after they changed would write twice.
 */
function namespaceOf({ principal, address }: Caller): readonly unknown[] {
  if (principal === null) return ["anonymous", address ?? null];
  return ["known", principal.id, principal.claims?.["iss"] ?? null];
}

/** The write stays committed even if the response fails. */
async function runFirst<T>(
  store: IdempotencyStore,
  token: string,
  run: () => Promise<T>,
  receiptOf: () => Json | undefined,
): Promise<T> {
  const note = async (): Promise<void> => {
    const receipt = receiptOf();
    await (receipt === undefined ? store.release(token) : store.complete(token, { receipt }));
  };
  let value: T;
  try {
    value = await run();
  } catch (thrown) {
    await note();
    throw thrown;
  }
  await note();
  return value;
}

function refuseOther(claim: Exclude<ClaimResult, { kind: "new" }>, fingerprint: string): void {
  if (claim.fingerprint !== fingerprint) {
    throw new BifocalError(
      "VALIDATION_FAILED",
      "This idempotency key was used for a different request. Use a new key.",
    );
  }
  if (claim.kind === "done") return;
  const message = "The first request with this idempotency key is still running. Try again in a moment.";
  throw new BifocalError("CONFLICT", message, { headers: { "Retry-After": "1" } });
}

function digest(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}
