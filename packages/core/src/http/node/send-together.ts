import type { HttpResponse } from "../../message/message.ts";
import { AsyncResource } from "../../runtime/async-hooks.ts";
import { delayResponse, shouldDelay } from "../delayed-responses.ts";

export type Send<T> = (answer: HttpResponse, target: T) => void;

/** Keeps the asynchronous context of its request. */
class Waiting<T> extends AsyncResource {
  readonly #send: Send<T>;
  readonly #answer: HttpResponse;
  readonly #target: T;

  constructor(send: Send<T>, answer: HttpResponse, target: T) {
    super("BifocalResponse");
    this.#send = send;
    this.#answer = answer;
    this.#target = target;
  }

  run(): void {
    this.runInAsyncScope(this.#send, null, this.#answer, this.#target);
  }
}

// On Deno, `node:http` takes longer for responses that are sent later.
const HAS_DELAYS = !("Deno" in globalThis);

/**
 * Sends a response, together with others if the process is busy. `send` runs in the asynchronous context of this call,
 * and must not throw.
 */
export function sendTogether<T>(answer: HttpResponse, target: T, send: Send<T>): void {
  if (HAS_DELAYS && shouldDelay(answer)) delayResponse(new Waiting(send, answer, target));
  else send(answer, target);
}
