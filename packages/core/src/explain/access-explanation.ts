import type { Principal } from "../definition/principal.ts";
import type { Operation } from "../operation/operation.ts";
import type { Decision } from "./explain-right.ts";
import type { ScopeExplanation } from "./explain-scope.ts";

/** The operation to explain. Any `Operation` fits; most properties are optional. */
export interface AccessQuestion {
  readonly kind: Operation["kind"];
  readonly resource: string;
  /** For `act`. */
  readonly action?: string;
  /** For `query`, and for `list` if a query finds the rows. */
  readonly query?: { readonly name: string };
  /** For `link` and `unlink`. */
  readonly relation?: string;
  /** The `input` that rules see, as values of the application. */
  readonly input?: unknown;
}

export interface AccessExplanation {
  readonly principal: Principal | null;
  readonly question: AccessQuestion;
  /** The rows that it can reach because of soft delete and tenants, before any rule. Undefined if it can reach all. */
  readonly scope: ScopeExplanation | undefined;
  /** The decisions on the operation as a whole. */
  readonly decisions: readonly Decision[];
  /** The decisions on each of its fields and relations. */
  readonly parts: readonly Decision[];
  /** Everything as text for people. */
  readonly text: string;
}
