import type { Principal } from "../../definition/principal.ts";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { Model } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Caller } from "../../operation/run.ts";
import type { Ids } from "../ids.ts";

/** The parts of the API that resolvers of the host use. */
export interface Host {
  readonly model: Model;
  readonly limits: Limits;
  readonly ids: Ids;
  /** Creates local calls as a principal. They are canceled by the signal. */
  readonly localOf: (principal: Principal | null, signal: AbortSignal | undefined) => unknown;
  /** Converts a thrown error to one that the caller may see, and logs unexpected errors. */
  readonly maskError: (thrown: unknown, caller: Caller) => BifocalError;
}
