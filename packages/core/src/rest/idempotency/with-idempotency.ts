import { createHash } from "node:crypto";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { Idempotency } from "../../operation/operation.ts";
import type { Caller } from "../../operation/run.ts";
import { bodyWithin } from "../../message/json-body.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { Json } from "../../util/json.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";
import type { ClaimResult, IdempotencyStore } from "./idempotency-store.ts";
import { refuse } from "../../errors/refuse.ts";

export interface IdempotencySettings {
  readonly store: IdempotencyStore;
  /** Seconds for which a request is remembered. */
  readonly ttl: number;
}

type Handle = (exchange: Exchange) => MaybePromise<HttpResponse>;

/**
 * Runs a request with an `Idempotency-Key` once. A retry is replayed under the rules of that moment. A different
 * request with the same key fails with 422, and a retry while the first request is running with 409. A failed request
 * is forgotten, so that it can be retried (docs/adr/0036).
 */
export async function withIdempotency(
  { store, ttl }: IdempotencySettings,
  exchange: Exchange,
  handle: Handle,
): Promise<HttpResponse> {
  const { request, context, target } = exchange;
  const key = parseIdempotencyKey(request.headers["idempotency-key"] ?? "");
  const { body, request: again } = await readOnce(request, target.limits.http.bodyBytes);
  const token = digest([...namespaceOf(context.caller), key]);
  const fingerprint = digest([request.method, request.prefix + request.path, request.query, body]);
  const now = Date.now();
  const expires = now + ttl * 1_000;
  const claim = await store.claim({ token, fingerprint, lease: now + 2 * target.limits.query.timeout, expires });
  if (claim.kind !== "new") refuseOther(claim, fingerprint);
  const known = claim.kind === "done" ? { receipt: claim.answer.receipt } : {};
  let settled: { readonly receipt: Json; readonly isReplay: boolean } | undefined;
  const settle: Idempotency["settle"] = (receipt, isReplay) => {
    settled = { receipt, isReplay };
  };
  const run = async (): Promise<HttpResponse> =>
    handle({ ...exchange, request: again, idempotency: { token, fingerprint, expires, ...known, settle } });
  const response = claim.kind === "new" ? await runFirst(store, token, run, () => settled?.receipt) : await run();
  if (settled?.isReplay !== true) return response;
  return { ...response, headers: { ...response.headers, "Idempotent-Replayed": "true" } };
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
async function runFirst(
  store: IdempotencyStore,
  token: string,
  run: () => Promise<HttpResponse>,
  receiptOf: () => Json | undefined,
): Promise<HttpResponse> {
  const note = async (): Promise<void> => {
    const receipt = receiptOf();
    await (receipt === undefined ? store.release(token) : store.complete(token, { receipt }));
  };
  let response: HttpResponse;
  try {
    response = await run();
  } catch (thrown) {
    await note();
    throw thrown;
  }
  await note();
  return response;
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

/** Reads the body, and returns a request that provides it again. */
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

const LENGTH = 255;

/**
 * Parses an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07 §2.1): a quoted string, or unquoted as many
 * clients send it. Throws BAD_REQUEST for other values and for repeated headers.
 */
function parseIdempotencyKey(header: string | readonly string[]): string {
  const text = String(header).trim();
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, "$1");
  const key = quoted ?? (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/.test(text) ? text : "");
  if (key !== "" && key.length <= LENGTH) return key;
  return refuse(
    ["Idempotency-Key"],
    "malformed",
    `'Idempotency-Key' must be 1 to ${LENGTH} ASCII characters, in quotes.`,
  );
}
