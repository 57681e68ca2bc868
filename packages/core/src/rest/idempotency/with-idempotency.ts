import { createHash } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { bodyWithin } from "../../util/body-within.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../exchange.ts";
import { parseIdempotencyKey } from "./idempotency-key.ts";
import type { ClaimResult, IdempotencyStore, KeptAnswer } from "./idempotency-store.ts";

export interface Idempotency {
  readonly store: IdempotencyStore;
  /** Seconds that an answer is kept. */
  readonly ttl: number;
  /** Whether what was done left a receipt in the store, so that to do it again does nothing. */
  readonly isReceipted: boolean;
}

type Handle = (exchange: Exchange) => MaybePromise<HttpResponse>;

/**
 * Runs a request with an `Idempotency-Key` once: the same again hears the first answer, another one by the same key 422, and
 * one that comes while the first is running 409. A request that came to nothing is forgotten, so that it can be tried again.
 */
export async function withIdempotency(
  idempotency: Idempotency,
  exchange: Exchange,
  handle: Handle,
): Promise<HttpResponse> {
  const { request, context, target } = exchange;
  const key = parseIdempotencyKey(request.headers["idempotency-key"] ?? "");
  const { body, request: again } = await readOnce(request, target.limits.bodyBytes);
  // Of each caller its own: nobody hears another's answer.
  const { principal } = context.caller;
  // An id is somebody only together with who says so.
  const token = digest([principal?.id ?? null, principal?.claims?.["iss"] ?? null, key]);
  const fingerprint = digest([request.method, request.prefix + request.path, request.query, body]);
  const now = Date.now();
  const expires = now + idempotency.ttl * 1_000;
  const keyed = { ...exchange, request: again, once: { token, fingerprint, expires } };
  const lease = now + 2 * target.limits.timeout;
  const claim = await idempotency.store.claim({ token, fingerprint, lease, expires });
  if (claim.kind !== "new") return answerAgain(idempotency, claim, fingerprint, keyed, handle);
  try {
    const response = await handle(keyed);
    if (response.status < 300 && (response.body === null || typeof response.body === "string")) {
      const { status, headers, body: text } = response;
      await idempotency.store.complete(token, { status, headers, body: text });
    } else await idempotency.store.release(token);
    return response;
  } catch (thrown) {
    await idempotency.store.release(token);
    throw thrown;
  }
}

/** The rules are asked again where that can be done without doing the thing again: rights may have gone since. */
async function answerAgain(
  { isReceipted }: Idempotency,
  claim: Exclude<ClaimResult, { kind: "new" }>,
  fingerprint: string,
  exchange: Exchange,
  handle: Handle,
): Promise<HttpResponse> {
  if (claim.fingerprint !== fingerprint) {
    throw new BifocalError("VALIDATION_FAILED", "This idempotency key was used for another request. Take a new one.");
  }
  if (claim.kind === "running") {
    const message = "The first request with this idempotency key is still running. Try again in a moment.";
    throw new BifocalError("CONFLICT", message, { headers: { "Retry-After": "1" } });
  }
  if (isReceipted) await handle(exchange);
  return replay(claim.answer);
}

function replay({ status, headers, body }: KeptAnswer): HttpResponse {
  return { status, headers: { ...headers, "Idempotent-Replayed": "true" }, body };
}

/** The body, and a request that gives it once more. */
async function readOnce(request: HttpRequest, limit: number): Promise<{ body: string; request: HttpRequest }> {
  if (request.parsedBody !== undefined) return { body: canonicalJson(request.parsedBody), request };
  const bytes = await bodyWithin(request, limit);
  const { method, path, query, headers, prefix, id, log, raw } = request;
  const again: HttpRequest = {
    method,
    path,
    query,
    headers,
    prefix,
    log,
    raw,
    ...(id === undefined ? {} : { id }),
    body: () => bytes,
    get signal() {
      return request.signal;
    },
  };
  return { body: createHash("sha256").update(bytes).digest("base64url"), request: again };
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
