export { accessTable, type AccessCell, type AccessRow, type AccessTable } from "./access-table.ts";
export { explainAccess, type AccessExplanation, type AccessQuestion, type ExplainedApi } from "./explain-access.ts";
export type { Decision } from "./explain-right.ts";
export type { RuleResult, RuleExplanation } from "./explain-rule.ts";
export { printAccessTable } from "./print-access-table.ts";
