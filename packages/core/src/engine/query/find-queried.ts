import { isBifocalError } from "../../errors/bifocal-error.ts";
import { lowerFilter } from "../../lowering/lower-filter.ts";
import { lowerSort } from "../../lowering/lower-sort.ts";
import type { QueryModel, ResourceModel } from "../../model/model.ts";
import { andFilters, type Filter } from "../../operation/filter.ts";
import type { QueryCall } from "../../operation/operation.ts";
import type { Sort } from "../../operation/sort.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import { printValue } from "../../util/print-value.ts";
import { authorizeFilter } from "../access/authorize-filter.ts";
import type { OperationContext } from "../operation-context.ts";
import { callQuery } from "./call-query.ts";

/** The rows that a query finds. The caller's read rules still have to be applied. */
export interface QueriedList {
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  /** The name, row and input of the query. Its filter may change between two pages, such as by the current time. */
  readonly identity: string;
}

/** Calls a query that returns rows, and lowers its result. */
export async function findQueried(
  context: OperationContext,
  resource: ResourceModel,
  call: QueryCall,
): Promise<QueriedList> {
  const { query, input, allowed, result } = await callQuery(context, resource, call);
  if (query.output !== undefined) throw new Error(`The query '${query.name}' of '${resource.name}' returns a value.`);
  const found = lowerResult(context, resource, query, result);
  // The filter is the server's own: like a rule, it may use fields and related rows that the caller can't read.
  const trusted: OperationContext = { ...context, system: true, decisions: undefined };
  const own = await authorizeFilter(trusted, resource, found.filter);
  const filter = query.on === "collection" ? andFilters(allowed, own) : own;
  const identity = `${canonicalJson([query.name, call.key ?? null])} ${printValue(input)}`;
  return { filter, sort: found.sort, identity };
}

/** A mistake in the result is a mistake of the application, so clients get a masked error. */
function lowerResult(
  { engine }: OperationContext,
  resource: ResourceModel,
  query: QueryModel,
  result: unknown,
): Pick<QueriedList, "filter" | "sort"> {
  const { filter, sort = [], ...others } = readResult(resource, query, result);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw mistake(resource, query, `'${unknown}' is not an option`);
  const target = { model: engine.model, resource };
  try {
    return {
      filter: lowerFilter(target, filter, { form: "value", limits: engine.limits, path: ["filter"], trusted: true }),
      sort: lowerSort(target, sort as readonly string[], ["sort"], true),
    };
  } catch (thrown) {
    if (!isBifocalError(thrown)) throw thrown;
    throw mistake(resource, query, thrown.message, thrown);
  }
}

function readResult(resource: ResourceModel, query: QueryModel, result: unknown): Readonly<Record<string, unknown>> {
  if (typeof result === "object" && result !== null && !Array.isArray(result)) return { ...result };
  throw mistake(resource, query, "it must be an object such as { filter: { … }, sort: [ … ] }");
}

function mistake(resource: ResourceModel, { name }: QueryModel, problem: string, cause?: unknown): Error {
  return new Error(`The query '${name}' of '${resource.name}' returned an invalid result: ${problem}.`, { cause });
}
