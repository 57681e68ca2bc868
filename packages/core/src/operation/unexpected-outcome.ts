import type { Outcome } from "./outcome.ts";

/** Each kind of operation has its own kinds of outcome; any other kind is a bug in Bifocal. */
export function unexpectedOutcome(outcome: Outcome): never {
  throw new Error(`Internal error: the engine returned an unexpected outcome '${outcome.kind}'.`);
}
