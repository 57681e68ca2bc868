export { accessTable, type AccessCell, type AccessRow, type AccessTable } from "./access-table.ts";
export type { AccessExplanation, AccessQuestion } from "./access-explanation.ts";
export { explainAccess, type ExplainedApi } from "./explain-access.ts";
export { type ExplainedSql, explainSql, explainsSql, type RunnableApi } from "./explain-sql.ts";
export type { Decision } from "./explain-right.ts";
export type { RuleResult, RuleExplanation } from "./explain-rule.ts";
export { printAccessTable } from "./print-access-table.ts";
