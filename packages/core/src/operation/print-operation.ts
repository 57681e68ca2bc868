import { groupTermName, measureName } from "../model/measure.ts";
import type { Aggregation } from "./aggregation.ts";
import type { Count } from "./count.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import { printValue } from "../util/print-value.ts";
import type { Filter } from "./filter.ts";
import type { Operation, Precondition, QueryCall, UpdateOperation } from "./operation.ts";
import type { Page } from "./page.ts";
import type { Search } from "./search.ts";
import type { Selection } from "./selection.ts";
import type { Sort } from "./sort.ts";

type Preconditions = Pick<UpdateOperation, "ifMatch" | "ifNoneMatch">;

/**
 * Prints an operation, one line for each property. Equal operations have equal text. For tests and people; nothing
 * parses it.
 */
export function printOperation(operation: Operation): string {
  return [headLine(operation), ...indent(bodyLines(operation))].join("\n");
}

function headLine(operation: Operation): string {
  const parts: string[] = [operation.kind, operation.resource];
  if (operation.kind === "act") parts.push(`action ${canonicalJson(operation.action)}`);
  if ("query" in operation && operation.query !== undefined) parts.push(queryText(operation.query));
  if ("key" in operation && operation.key !== undefined) parts.push(`key ${canonicalJson(operation.key)}`);
  return parts.join(" ");
}

function queryText({ name, key }: QueryCall): string {
  return `query ${canonicalJson(name)}${key === undefined ? "" : ` key ${canonicalJson(key)}`}`;
}

function bodyLines(operation: Operation): string[] {
  const lines: string[] = [];
  switch (operation.kind) {
    case "list":
      lines.push(...conditionLines(operation), ...sortLines(operation.sort), pageLine(operation.page));
      if (operation.count !== undefined && operation.count !== false) lines.push(countWord(operation.count));
      if (operation.deleted !== undefined) lines.push(`deleted ${operation.deleted}`);
      break;
    case "aggregate":
      lines.push(...conditionLines(operation), ...aggregationLines(operation));
      break;
    case "create":
      if (operation.within !== undefined) lines.push(`within ${canonicalJson(operation.within)}`);
      lines.push(inputLine(operation.input, operation.form));
      break;
    case "createMany":
      if (operation.within !== undefined) lines.push(`within ${canonicalJson(operation.within)}`);
      for (const input of operation.inputs) lines.push(inputLine(input, operation.form));
      break;
    case "replace":
    case "update":
      lines.push(inputLine(operation.input, operation.form), ...preconditionLines(operation));
      break;
    case "updateMany":
      lines.push(...conditionLines(operation), inputLine(operation.input, operation.form));
      lines.push(...preconditionLines(operation));
      break;
    case "delete":
      lines.push(...preconditionLines(operation));
      break;
    case "deleteMany":
      lines.push(...conditionLines(operation), ...preconditionLines(operation));
      break;
    case "link":
    case "unlink":
      lines.push(`relation ${operation.relation} target ${canonicalJson(operation.target)}`);
      if (operation.more !== undefined) lines.push(`more ${canonicalJson(operation.more)}`);
      break;
    case "act":
      if (operation.input !== undefined) lines.push(inputLine(operation.input, operation.form));
      break;
    case "watch":
      lines.push(`on ${operation.on.join(", ")}`, ...filterLines("filter", operation.filter));
      if (operation.after !== undefined) lines.push(`after ${canonicalJson(operation.after)}`);
      if (operation.initial === true) lines.push("initial");
      break;
    case "get":
      if (operation.deleted !== undefined) lines.push(`deleted ${operation.deleted}`);
      break;
    case "permissions":
      break;
    case "query":
      break;
  }
  if ("query" in operation && operation.query?.input !== undefined)
    lines.push(inputLine(operation.query.input, operation.query.form));
  if ("selection" in operation && operation.selection !== undefined) lines.push(...selectionLines(operation.selection));
  return lines;
}

function inputLine(input: unknown, form: string): string {
  return `input ${form} ${printValue(input)}`;
}

function preconditionLines({ ifMatch, ifNoneMatch }: Preconditions): string[] {
  const line = (words: string, given: Precondition | undefined): string[] =>
    given === undefined ? [] : [`${words} ${given === "*" ? "*" : canonicalJson(given)}`];
  return [...line("if match", ifMatch), ...line("if none match", ifNoneMatch)];
}

function selectionLines({ fields, relations }: Selection): string[] {
  const lines = [`fields ${fields.join(", ")}`.trimEnd()];
  for (const relation of relations) {
    const inner = [...conditionLines(relation), ...sortLines(relation.sort)];
    if (relation.aggregation !== undefined) {
      lines.push(`groups ${relation.relation}`, ...indent([...inner, ...aggregationLines(relation.aggregation)]));
      continue;
    }
    if (relation.page !== undefined) inner.push(pageLine(relation.page));
    if (relation.count !== undefined && relation.count !== false) inner.push(countWord(relation.count));
    lines.push(`relation ${relation.relation}`, ...indent([...inner, ...selectionLines(relation.selection)]));
  }
  return lines;
}

function aggregationLines({ measures, groupBy, having, sort, page }: Aggregation): string[] {
  const lines = [`measures ${measures.map(measureName).join(", ")}`.trimEnd()];
  if (groupBy.length > 0) lines.push(`group by ${groupBy.map(groupTermName).join(", ")}`);
  lines.push(...filterLines("having", having));
  if (sort.length > 0)
    lines.push(`sort ${sort.map(({ name, descending }) => (descending ? "-" : "") + name).join(", ")}`);
  return [...lines, pageLine(page)];
}

function conditionLines({
  filter,
  search,
}: {
  readonly filter?: Filter | undefined;
  readonly search?: Search;
}): string[] {
  const lines = filterLines("filter", filter);
  if (search !== undefined) lines.push(`search ${[...search.words, `${search.start}…`].join(" ")}`);
  return lines;
}

function sortLines(sort: Sort): string[] {
  if (sort.length === 0) return [];
  return [`sort ${sort.map(({ path, descending }) => (descending ? "-" : "") + path.join(".")).join(", ")}`];
}

function pageLine(page: Page): string {
  const parts = [`page ${page.fromEnd === true ? "last" : "first"} ${page.size}`];
  if (page.after !== undefined) parts.push(`after ${canonicalJson(page.after)}`);
  if (page.before !== undefined) parts.push(`before ${canonicalJson(page.before)}`);
  if (page.offset !== undefined) parts.push(`offset ${page.offset}`);
  return parts.join(" ");
}

function filterLines(label: string, filter: Filter | undefined): string[] {
  if (filter === undefined) return [];
  switch (filter.kind) {
    case "constant":
      return [`${label} ${filter.value ? "always" : "never"}`];
    case "compare":
      return [`${label} ${filter.field} ${filter.operator} ${canonicalJson(filter.value)}`];
    case "not":
      return [`${label} not`, ...indent(filterLines("-", filter.filter))];
    case "related":
      return [`${label} ${filter.relation} ${filter.quantifier}`, ...indent(filterLines("-", filter.filter))];
    case "and":
    case "or":
      return [`${label} ${filter.kind}`, ...indent(filter.filters.flatMap((inner) => filterLines("-", inner)))];
  }
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function countWord(count: Count): string {
  return count === "exact" ? "count exactly" : "count";
}
