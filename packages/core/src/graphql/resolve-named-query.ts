import type { QueryModel } from "../model/model.ts";
import type { QueryCall } from "../operation/operation.ts";
import { unexpectedOutcome } from "../operation/unexpected-outcome.ts";
import type { FieldTarget } from "./lower/field-target.ts";
import { lowerConnection } from "./lower/lower-selection.ts";
import { toNodePage } from "./node.ts";
import { lowerRootList } from "./resolve-query.ts";
import { type Resolver, resolver } from "./resolver.ts";
import type { Arguments } from "./root-field.ts";
import { fromUnions } from "./unions.ts";

/** Resolves `trendingBooks(year, filter, …)`. */
export function resolveQueriedRows(target: FieldTarget, query: QueryModel): Resolver {
  return resolver({
    isNullable: query.on === "item",
    select: (nodes, document) => lowerConnection(target, nodes, document),
    lower: (args, selected) => {
      const call = lowerCall(target, query, args);
      return call && { ...lowerRootList(target, args, selected), query: call };
    },
    read: (outcome) => (outcome.kind === "page" ? toNodePage(outcome.page) : unexpectedOutcome(outcome)),
  });
}

/** Resolves `bookSummary(id)`. */
export function resolveQueriedValue(target: FieldTarget, query: QueryModel): Resolver {
  return resolver({
    isNullable: query.on === "item",
    select: () => undefined,
    lower: (args) => {
      const call = lowerCall(target, query, args);
      return call && { kind: "query", resource: target.resource.name, query: call };
    },
    read: (outcome) => (outcome.kind === "result" ? outcome.value : unexpectedOutcome(outcome)),
  });
}

/** Returns undefined for a malformed id, which matches no row. */
function lowerCall({ ids, resource }: FieldTarget, query: QueryModel, args: Arguments): QueryCall | undefined {
  const key = query.on === "item" ? ids.parse(resource, String(args["id"])) : undefined;
  if (query.on === "item" && key === undefined) return undefined;
  return {
    name: query.name,
    ...(key === undefined ? {} : { key }),
    ...(query.input === undefined ? {} : { input: lowerInput(query, args) }),
    form: "wire",
  };
}

/** Clients may send `null` for an optional argument. It counts only if the schema allows null. */
function lowerInput({ input }: QueryModel, args: Arguments): object {
  const given: Record<string, unknown> = {};
  for (const { name, type } of input?.type.members ?? []) {
    const value = args[name];
    if (value !== undefined && (value !== null || type.nullable)) given[name] = fromUnions(type, value);
  }
  return given;
}
