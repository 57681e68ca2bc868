import type { Principal } from "../../definition/principal.ts";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { Model } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Caller } from "../../operation/run.ts";
import type { Ids } from "../ids.ts";

/** What resolvers of the host are given of the API. */
export interface Host {
  readonly model: Model;
  readonly limits: Limits;
  readonly ids: Ids;
  /** Local calls as somebody, which end with the signal. */
  readonly localOf: (principal: Principal | null, signal: AbortSignal | undefined) => unknown;
  /** What was thrown, as the caller may see it; what is unexpected is logged. */
  readonly maskError: (thrown: unknown, caller: Caller) => BifocalError;
}
