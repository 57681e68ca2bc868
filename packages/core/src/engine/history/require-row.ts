import type { ResourceModel } from "../../model/model.ts";
import { denied } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";

/** Rejects access to entries other than along their row, whose rules apply, and writes by anyone but the engine. */
export function requireRow(context: OperationContext, { historyOf, plural }: ResourceModel, kind: string): void {
  if (historyOf === undefined || (context.system && kind === "list")) return;
  throw denied(context, `access ${plural}`);
}
