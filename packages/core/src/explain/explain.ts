export type {
  AccessCell,
  AccessRow,
  AccessTable,
  AccessTableOptions,
  RuleResult,
} from "../model/access/access-table.ts";
export { type RequiredCredentials, requiredCredentials } from "../model/access/required-credentials.ts";
export { accessPrincipals } from "./access-principals.ts";
export { accessTable } from "./access-table.ts";
export type { AccessExplanation, AccessQuestion } from "./access-explanation.ts";
export { explainAccess, type ExplainedApi } from "./explain-access.ts";
export { type ExplainedSql, explainSql, explainsSql, type RunnableApi } from "./explain-sql.ts";
export type { Decision } from "./explain-right.ts";
export type { RuleExplanation } from "./explain-rule.ts";
export { printAccessTable } from "./print-access-table.ts";
