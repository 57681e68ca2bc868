import { invalid } from "../write/checks/check-input.ts";
import { notFound } from "../../lowering/not-found.ts";
import type { QueryModel, ResourceModel, Row } from "../../model/model.ts";
import { textMistake } from "../../model/text-mistake.ts";
import type { Filter } from "../../operation/filter.ts";
import type { QueryCall } from "../../operation/operation.ts";
import { decideInput, denied, isAlways, refuseNever } from "../access/decide.ts";
import { runApplicationCode } from "../ambient-transaction.ts";
import type { OperationContext } from "../operation-context.ts";
import { matchesRow } from "../read/match-rows.ts";
import { readVisible } from "../run-get.ts";
import { toItem } from "../write/run-hook.ts";
import { createReadContext } from "./read-context.ts";

/** The result of a query's code. */
export interface CalledQuery {
  readonly query: QueryModel;
  /** The validated input. */
  readonly input: unknown;
  /** Which rows the access rule of a query on the resource allows. */
  readonly allowed: Filter;
  readonly result: unknown;
}

/** Calls a query if its rule allows it. A query on a row needs a row that the caller can read. */
export async function callQuery(
  context: OperationContext,
  resource: ResourceModel,
  call: QueryCall,
): Promise<CalledQuery> {
  const query = queryOf(resource, call);
  const what = `use '${query.name}' of ${query.on === "item" ? `this ${resource.name}` : resource.plural}`;
  const parsed = parseInput(query, call);
  const input = "value" in parsed ? parsed.value : undefined;
  const allowed = await decideInput(context, query.access, resource, input as Readonly<Record<string, unknown>>);
  refuseNever(context, allowed, what);
  if ("issues" in parsed) throw invalid(parsed.issues);
  // A value has no rows that the filter could apply to.
  if (query.on === "collection" && query.output !== undefined && !isAlways(allowed)) throw denied(context, what);
  const row = query.on === "item" ? await readItem(context, resource, call, allowed, what) : undefined;
  const item = row && toItem(resource, row);
  const facts = createReadContext(context, resource, { item, input });
  const result = await runApplicationCode(context, [], () => query.run(facts));
  return { query, input, allowed, result };
}

function queryOf(resource: ResourceModel, { name }: QueryCall): QueryModel {
  const query = resource.queries.get(name);
  if (query === undefined) throw new Error(`'${resource.name}' has no query '${name}'.`);
  return query;
}

type Parsed = ReturnType<NonNullable<QueryModel["input"]>["parse"]>;

function parseInput({ input, name }: QueryModel, call: QueryCall): Parsed {
  if (input === undefined) return { value: undefined };
  const given = call.input ?? {};
  const mistake = textMistake(given);
  if (mistake === undefined) return input.parse(given, call.form);
  return { issues: [{ path: [], message: `The input of the query '${name}' ${mistake}.`, code: "invalid_text" }] };
}

async function readItem(
  context: OperationContext,
  resource: ResourceModel,
  { key }: QueryCall,
  allowed: Filter,
  what: string,
): Promise<Row> {
  const row = key === undefined ? undefined : await readVisible(context, resource, key);
  if (row === undefined) throw notFound(resource);
  if (!isAlways(allowed) && !(await matchesRow(context, resource, row, allowed))) throw denied(context, what);
  return row;
}
