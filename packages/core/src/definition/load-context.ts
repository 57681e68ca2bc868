import type { Locals } from "./code-context.ts";
import type { Principal } from "./principal.ts";
import type { UntypedCalls } from "./untyped-calls.ts";

/** The second argument of `load` of a computed field. A response whose `load` reads the caller is private. */
export interface LoadContext {
  /** The caller of the operation. */
  readonly principal: Principal | null;
  /** Calls for the resource of the rows as the caller: access rules, hooks and limits apply. */
  readonly local: UntypedCalls;
  /** Returns such calls for another resource: `locals(author)`. Throws for a resource that isn't part of the API. */
  readonly locals: Locals;
  /** Aborts when the client disconnects or the operation times out. */
  readonly signal: AbortSignal;
}
