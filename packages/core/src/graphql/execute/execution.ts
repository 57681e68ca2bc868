import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { PlanSource } from "../compile/plan.ts";
import type { Denials, ExecutionContext } from "../context.ts";
import type { ErrorSettings } from "./format-error.ts";

/** One execution of an operation. */
export interface Execution {
  readonly source: PlanSource;
  readonly compiled: CompiledOperation;
  /** As sent by the client, because graphql-js coerces variables itself. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly context: ExecutionContext;
  readonly settings: ErrorSettings;
  readonly denials: Denials;
}
