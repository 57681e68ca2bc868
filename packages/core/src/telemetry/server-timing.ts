import { AsyncLocalStorage } from "../runtime/async-hooks.ts";
import type { HttpResponse } from "../message/message.ts";
import { isStream } from "../message/message.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import type { Telemetry } from "./telemetry.ts";

/** The timings of one request, in milliseconds. */
interface Timings {
  readonly began: number;
  authentication: number | undefined;
  /** When the first operation began, and when the last one ended. */
  lowered: number | undefined;
  answered: number | undefined;
  store: number;
  storeCalls: number;
}

/**
 * Adds `Server-Timing` (W3C) to responses, except streams. A response that a shared cache may store gets it only
 * `withPublic`, because every client of the cache would see the timings of another client's request.
 */
export function serverTiming({ withPublic }: { readonly withPublic: boolean }): Telemetry {
  const current = new AsyncLocalStorage<Timings | undefined>();

  function write(response: HttpResponse | null, timings: Timings): HttpResponse | null {
    if (response === null || isStream(response.body) || (!withPublic && isShared(response))) return response;
    return { ...response, headers: { ...response.headers, "Server-Timing": format(timings) } };
  }

  return {
    request: (_activity, work) => {
      const began = performance.now();
      const none = undefined;
      const timings: Timings = { began, authentication: none, lowered: none, answered: none, store: 0, storeCalls: 0 };
      return current.run(timings, () => mapMaybePromise(work(), (response) => write(response, timings)));
    },
    authentication: async (work) => {
      const began = performance.now();
      try {
        return await work();
      } finally {
        const timings = current.getStore();
        if (timings !== undefined) timings.authentication = performance.now() - began;
      }
    },
    document: (_activity, work) => work(),
    operation: (_activity, work) => {
      const timings = current.getStore();
      if (timings === undefined) return work();
      timings.lowered ??= performance.now();
      return mapMaybePromise(work(), (outcome) => {
        timings.answered = performance.now();
        return outcome;
      });
    },
    storeCall: ({ method }, work) => {
      const timings = current.getStore();
      // Calls within a transaction are counted separately.
      if (timings === undefined || method === "transaction") return work();
      timings.storeCalls++;
      const began = performance.now();
      return settled(work, () => {
        timings.store += performance.now() - began;
      });
    },
    subscription: () => UNTIMED,
    // A change is read on behalf of its subscribers, so it doesn't count for the request that wrote it.
    delivery: (_activity, work) => current.run(undefined, work),
  };
}

const UNTIMED = { delivered: () => {}, end: () => {} };

/** Calls `after` when the work has finished or failed. */
function settled<T>(work: () => MaybePromise<T>, after: () => void): MaybePromise<T> {
  let result: MaybePromise<T> | undefined;
  try {
    result = work();
    return result instanceof Promise ? result.finally(after) : result;
  } finally {
    if (!(result instanceof Promise)) after();
  }
}

function isShared({ headers }: HttpResponse): boolean {
  return /\bpublic\b|\bs-maxage\b/i.test(headers["Cache-Control"] ?? "");
}

function format({ began, authentication, lowered, answered, store, storeCalls }: Timings): string {
  const now = performance.now();
  const metrics: string[] = [];
  if (lowered !== undefined) metrics.push(`parse;dur=${milliseconds(lowered - began - (authentication ?? 0))}`);
  if (authentication !== undefined) metrics.push(`auth;dur=${milliseconds(authentication)}`);
  if (storeCalls > 0)
    metrics.push(`store;dur=${milliseconds(store)};desc="${storeCalls} ${storeCalls === 1 ? "call" : "calls"}"`);
  if (answered !== undefined) metrics.push(`serialize;dur=${milliseconds(now - answered)}`);
  metrics.push(`total;dur=${milliseconds(now - began)}`);
  return metrics.join(", ");
}

function milliseconds(duration: number): string {
  return Math.max(0, duration).toFixed(2);
}
