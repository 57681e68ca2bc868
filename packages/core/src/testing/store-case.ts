import type { StoreCapabilities } from "../store/store.ts";
import type { Fixture } from "./fixture.ts";

/** One thing that every store has to do in the same way. Ids are stable. */
export interface StoreCase {
  readonly id: string;
  readonly name: string;
  /** Without these a store need not do it. */
  readonly needs: readonly (keyof StoreCapabilities)[];
  /** Throws an AssertionError where the store does not. */
  readonly run: (fixture: Fixture) => Promise<void>;
}

/** Why a store need not pass a case; undefined where it has to. */
export function skipReason({ needs }: StoreCase, capabilities: StoreCapabilities): string | undefined {
  const missing = needs.filter((need) => !capabilities[need]);
  return missing.length === 0 ? undefined : `The store does not have: ${missing.join(", ")}.`;
}
