import { type Mutant, mutantsOf } from "./mutant.ts";

const QUERIES = "packages/core/test/queries/queries.test.ts";

/** Queries of applications: who may call them, and which rows they return. */
export const queries: readonly Mutant[] = mutantsOf(
  "packages/core/src",
  [QUERIES],
  [
    [
      "a query checks its rule",
      "engine/query/call-query.ts",
      "await decideInput(context, query.access, resource, ",
      'await decideInput(context, { ...query.access, kind: "allow" }, resource, ',
    ],
    [
      "the input of a query is validated",
      "engine/query/call-query.ts",
      'if ("issues" in parsed) throw invalid(parsed.issues);',
      "",
    ],
    [
      "a filter cannot permit a value without rows",
      "engine/query/call-query.ts",
      "query.output !== undefined && !isAlways(allowed)",
      "query.output === undefined && false",
    ],
    [
      "a query on a row needs a row that the caller can read",
      "engine/query/call-query.ts",
      "await readVisible(context, resource, key);",
      "await readVisible({ ...context, system: true }, resource, key);",
    ],
    [
      "the rule of a query on a row applies to the row",
      "engine/query/call-query.ts",
      "!(await matchesRow(context, resource, row, allowed))",
      "row === undefined",
    ],
    [
      "a filter of the rule of a query applies to its rows",
      "engine/query/find-queried.ts",
      'query.on === "collection" ? andFilters(allowed, own) : own;',
      "own;",
    ],
    ["a list is filtered by its query", "engine/run-list.ts", "queried?.filter, asked", "asked"],
    [
      "cursors belong to one query and its input",
      "engine/read/read-page.ts",
      "query === undefined ? list : `${list} query ${query}`;",
      "list;",
    ],
    [
      "a query that reads its caller is private",
      "engine/query/read-context.ts",
      "return loading.principal;",
      "return context.caller.principal;",
    ],
    [
      "a query can't write",
      "engine/query/read-context.ts",
      "names.includes(name) ? { value: call, enumerable: true } : { get: refuse }",
      "names.length > 0 ? { value: call, enumerable: true } : { get: refuse }",
    ],
    [
      "a query that is denied to everyone isn't offered",
      "model/offered.ts",
      'rule.kind !== "deny" && (isReadable ||',
      "(isReadable ||",
    ],
  ],
);
