import { resourceOf } from "../../model/resource-of.ts";
import type { QueryOperation } from "../../operation/operation.ts";
import type { ResultOutcome } from "../../operation/outcome.ts";
import type { OperationContext } from "../operation-context.ts";
import { callQuery } from "./call-query.ts";

/** Runs a query that returns a value. */
export async function runQuery(context: OperationContext, operation: QueryOperation): Promise<ResultOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  const { query, result } = await callQuery(context, resource, operation.query);
  if (query.output === undefined) throw new Error(`The query '${query.name}' of '${resource.name}' returns rows.`);
  return { kind: "result", value: query.output.toWire(result), personal: context.cacheability.personal };
}
