import { randomUUID } from "node:crypto";
import type { Allowance } from "../operation/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import type { Log } from "../util/log.ts";
import type { AddressOf } from "./client-address.ts";
import type { HttpRequest } from "./message.ts";

/** Who calls by a request: nobody, until a credential is known. */
export class RequestCaller implements Caller {
  principal: Caller["principal"] = null;
  expires: Caller["expires"];
  recheck: Caller["recheck"];
  readonly request: HttpRequest;
  /** The least that was left. */
  allowance: Allowance | undefined;
  readonly #addressOf: AddressOf;
  #id: string | undefined;

  constructor(request: HttpRequest, addressOf: AddressOf) {
    this.request = request;
    this.#addressOf = addressOf;
    this.#id = request.id;
  }

  get log(): Log | undefined {
    return this.request.log;
  }

  get address(): string | undefined {
    return this.#addressOf(this.request);
  }

  onCharge(allowance: Allowance): void {
    const { allowance: before } = this;
    const isLess = before === undefined || allowance.remaining < before.remaining;
    if (isLess || (allowance.isExceeded && !before.isExceeded)) this.allowance = allowance;
  }

  /** The request makes it when it is looked at. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  readonly requestId = (): string => (this.#id ??= randomUUID());
}
