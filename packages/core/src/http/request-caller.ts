import { randomUUID } from "../runtime/crypto.ts";
import type { Allowance } from "../operation/allowance.ts";
import type { Caller } from "../operation/run.ts";
import type { Log } from "../util/log.ts";
import type { AddressOf } from "./client-address.ts";
import type { ClientDigest } from "./client-digest.ts";
import type { MalformedRequests } from "./malformed-requests.ts";
import type { HttpRequest } from "../message/message.ts";

export interface RequestCallerParts {
  readonly addressOf: AddressOf;
  readonly clientDigest: ClientDigest;
  /** Undefined if the API has no rate limit. */
  readonly malformed: MalformedRequests | undefined;
}

/** The caller of a request. Anonymous until a credential has been verified. */
export class RequestCaller implements Caller {
  principal: Caller["principal"] = null;
  expires: Caller["expires"];
  recheck: Caller["recheck"];
  readonly request: HttpRequest;
  /** The lowest allowance that remained after any charge. */
  allowance: Allowance | undefined;
  /** Settles once all malformed requests are charged. */
  charging: Promise<unknown> | undefined;
  readonly #parts: RequestCallerParts;
  #id: string | undefined;

  constructor(request: HttpRequest, parts: RequestCallerParts) {
    this.request = request;
    this.#parts = parts;
    this.#id = request.id;
  }

  get log(): Log | undefined {
    return this.request.log;
  }

  get address(): string | undefined {
    return this.#parts.addressOf(this.request);
  }

  clientDigest(): string {
    return this.#parts.clientDigest(this.request, this);
  }

  onMalformed(): void {
    const charge = this.#parts.malformed?.charge(this);
    if (charge === undefined) return;
    this.charging = this.charging === undefined ? charge : Promise.all([this.charging, charge]);
  }

  onCharge(allowance: Allowance): void {
    const { allowance: before } = this;
    const isLess = before === undefined || allowance.remaining < before.remaining;
    if (isLess || (allowance.isExceeded && !before.isExceeded)) this.allowance = allowance;
  }

  /** The request creates the signal on first use. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  requestId(): string {
    return (this.#id ??= randomUUID());
  }
}
