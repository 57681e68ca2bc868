import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { Denials } from "../context.ts";
import type { DeferredReads } from "../incremental/deferred-reads.ts";
import type { Payload, Payloads } from "../incremental/graphql-js.ts";
import { type ErrorSettings, formatError } from "./format-error.ts";

/**
 * Creates a function that formats payloads for clients. Denied fields beyond the maximum number of errors are counted
 * in the payload that contains them.
 */
export function createFormatPayload(settings: ErrorSettings, denials: Denials): (payload: Payload) => FormattedPayload {
  let reported = denials.most;
  return (payload) => {
    const { errors, incremental } = payload;
    const more = denials.count - reported;
    const isTold = more > 0 && ("data" in payload || incremental?.at(-1) !== undefined);
    if (!isTold) return formatPayload(payload, settings);
    reported = denials.count;
    const last = new GraphQLError(`${more} more errors are not shown.`, { extensions: { code: "FORBIDDEN" } });
    const withLast = <T extends { readonly errors?: readonly GraphQLError[] }>(one: T): T => ({
      ...one,
      errors: [...(one.errors ?? []), last],
    });
    if ("data" in payload) return formatPayload({ ...payload, errors: [...(errors ?? []), last] }, settings);
    const items = incremental?.map((one, index) => (index === incremental.length - 1 ? withLast(one) : one)) ?? [];
    return formatPayload({ ...payload, incremental: items }, settings);
  };
}

function formatPayload(payload: Payload, settings: ErrorSettings): FormattedPayload {
  const { errors, incremental, completed, ...rest } = payload;
  return {
    ...(errors === undefined ? {} : { errors: formatAll(errors, settings) }),
    ...rest,
    ...(incremental === undefined ? {} : { incremental: incremental.map((one) => formatErrors(one, settings)) }),
    ...(completed === undefined ? {} : { completed: completed.map((one) => formatErrors(one, settings)) }),
  };
}

interface FormattedPayload {
  readonly errors?: readonly GraphQLFormattedError[];
  readonly hasNext: boolean;
}

function formatErrors<T extends { readonly errors?: readonly GraphQLError[] }>(
  one: T,
  settings: ErrorSettings,
): object {
  return one.errors === undefined ? one : { ...one, errors: formatAll(one.errors, settings) };
}

function formatAll(errors: readonly GraphQLError[], settings: ErrorSettings): readonly GraphQLFormattedError[] {
  return errors.map((error) => formatError(error, "INTERNAL", settings));
}

/** The parts of a response after the first, as text. `return` ends the response and stops further reads. */
export class Parts implements AsyncIterableIterator<string, undefined> {
  readonly #payloads: Payloads["subsequentResults"];
  readonly #late: DeferredReads;
  readonly #write: (payload: Payload) => string;

  constructor(payloads: Payloads["subsequentResults"], late: DeferredReads, write: (payload: Payload) => string) {
    this.#payloads = payloads;
    this.#late = late;
    this.#write = write;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    const { done, value } = await this.#payloads.next();
    return done === true ? { done, value: undefined } : { done: false, value: this.#write(value) };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#late.stop();
    await this.#payloads.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
