import { hash } from "../../runtime/crypto.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import { bodyWithin } from "../../message/json-body.ts";
import { parseIdempotencyKey } from "../../lowering/idempotency/parse-idempotency-key.ts";
import { type IdempotencySettings, runWithKey } from "../../lowering/idempotency/run-with-key.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";

type Handle = (exchange: Exchange) => MaybePromise<HttpResponse>;

/** Runs a request with an `Idempotency-Key` once, and marks the response of a replay. */
export async function withIdempotency(
  settings: IdempotencySettings,
  exchange: Exchange,
  handle: Handle,
): Promise<HttpResponse> {
  const { request, context, target } = exchange;
  const { limits } = target;
  const key = parseIdempotencyKey(request.headers["idempotency-key"] ?? "");
  const { body, request: again } = await readOnce(request, limits.http.bodyBytes);
  const content = [request.method, request.prefix + request.path, request.query, body];
  const keyed = { key, caller: context.caller, content, limits };
  const { value: response, isReplay } = await runWithKey(settings, keyed, (idempotency) =>
    handle({ ...exchange, request: again, idempotency }),
  );
  if (!isReplay) return response;
  return { ...response, headers: { ...response.headers, "Idempotent-Replayed": "true" } };
}

/** Reads the body, and returns a request that provides it again. */
async function readOnce(request: HttpRequest, limit: number): Promise<{ body: string; request: HttpRequest }> {
  if (request.parsedBody !== undefined) return { body: canonicalJson(request.parsedBody), request };
  const bytes = await bodyWithin(request, limit);
  const { method, path, query, headers, headerCount, address, scheme, prefix, id, log, raw } = request;
  const again: HttpRequest = {
    method,
    path,
    query,
    headers,
    headerCount,
    address,
    scheme,
    prefix,
    log,
    raw,
    repeats: (name) => request.repeats(name),
    ...(id === undefined ? {} : { id }),
    body: () => bytes,
    get signal() {
      return request.signal;
    },
  };
  return { body: hash("sha256", bytes, "base64url"), request: again };
}
