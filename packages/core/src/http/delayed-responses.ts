// Responses that are sent one right after another wake a client or proxy on the same machine once instead of each time,
// and the code that handles requests stays in the processor's caches. So while the process is busy, responses are delayed
// until the end of the turn of the event loop in which they were created.
import type { HttpResponse } from "../message/message.ts";

/** Milliseconds after which a response no longer waits for others of its turn. */
const MAX_DELAY = 1;
/** Number of responses that may wait. */
const MAX_WAITING = 128;
/** Length of the bodies that are sent at once, because sending takes much longer than waking the client. */
const LARGE = 16_384;
/** Number of responses between two turns whose responses are counted, while turns had one response. */
const LOOK_EVERY = 16;
/** Number of turns with one response after which responses aren't delayed. */
const LONE_TURNS = 8;

export interface DelayedResponse {
  /** Sends the response. Must not throw. */
  readonly run: () => void;
}

// Fake timers of tests replace the global function.
const { setImmediate } = globalThis;

let waiting: DelayedResponse[] = [];
/** When the first of them began to wait. */
let since = 0;
let isScheduled = false;
/** Responses of the turn that is counted. */
let inTurn = 0;
/** Whether turns have several responses. */
let isBusy = false;
let loneTurns = 0;
let untilLook = LOOK_EVERY;

/** Returns whether a response should be delayed. Counts the responses of the turn, so call it once for each. */
export function shouldDelay({ body }: HttpResponse): boolean {
  if (body !== null && !(typeof body === "string" || body instanceof Uint8Array)) return false;
  if (isScheduled) inTurn += 1;
  else if (isBusy || --untilLook <= 0) {
    untilLook = LOOK_EVERY;
    inTurn = 1;
    isScheduled = true;
    setImmediate(endTurn);
  }
  return isBusy && (body === null || body.length < LARGE);
}

/** Delays a response until the end of the turn, or for a millisecond. */
export function delayResponse(response: DelayedResponse): void {
  const now = performance.now();
  if (waiting.length === 0) since = now;
  waiting.push(response);
  if (now - since > MAX_DELAY || waiting.length >= MAX_WAITING) sendAll();
}

function endTurn(): void {
  isScheduled = false;
  loneTurns = inTurn > 1 ? 0 : loneTurns + 1;
  isBusy = loneTurns === 0 || (isBusy && loneTurns < LONE_TURNS);
  sendAll();
}

function sendAll(): void {
  const all = waiting;
  waiting = [];
  for (const response of all) response.run();
}
