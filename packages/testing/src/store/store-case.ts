import type { StoreCapabilities } from "@bifocal/core/store";
import type { Fixture } from "./fixture.ts";

/** One behavior that all stores must share. Ids are stable. */
export interface StoreCase {
  readonly id: string;
  readonly name: string;
  /** Capabilities that the case requires. Skip the case for a store that lacks one. */
  readonly needs: readonly (keyof StoreCapabilities)[];
  /** Throws an AssertionError if the store behaves differently. */
  readonly run: (fixture: Fixture) => Promise<void>;
}

/** Returns why a case does not apply to a store, or undefined if it does. */
export function skipReason({ needs }: StoreCase, capabilities: StoreCapabilities): string | undefined {
  const missing = needs.filter((need) => !capabilities[need]);
  return missing.length === 0 ? undefined : `The store lacks: ${missing.join(", ")}.`;
}
