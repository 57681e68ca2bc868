import { randomUUID } from "node:crypto";
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
  readonly malformed: MalformedRequests;
}

/** Who calls by a request: nobody, until a credential is known. */
export class RequestCaller implements Caller {
  principal: Caller["principal"] = null;
  expires: Caller["expires"];
  recheck: Caller["recheck"];
  readonly request: HttpRequest;
  /** The least that was left. */
  allowance: Allowance | undefined;
  /** Settled once all that was malformed is paid for. */
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

  /** A function of its own, because callers are copied for work that outlasts their request. */
  readonly onMalformed = (): void => {
    const charge = this.#parts.malformed.charge(this);
    this.charging = this.charging === undefined ? charge : Promise.all([this.charging, charge]);
  };

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
