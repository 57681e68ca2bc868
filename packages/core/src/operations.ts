// The operations that REST, GraphQL and local calls lower into: `@bifocal/core/operation`.
export type { Spender } from "./limits/rate-limiter.ts";
export type { Allowance } from "./operation/allowance.ts";
export type { ChangeKind, Operation } from "./operation/operation.ts";
export type { Change, ChangeStream, Outcome } from "./operation/outcome.ts";
export { printOperation } from "./operation/print-operation.ts";
export type { Caller, Run } from "./operation/run.ts";
export type { PageSummary, RowPage, RowWriter, ReadableRow } from "./operation/visible-rows.ts";
