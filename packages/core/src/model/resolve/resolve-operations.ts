import { OPERATION_NAMES, type OperationName, type StyleOperations } from "../../definition/operation-names.ts";
import type { OfferedOperations, ResourceModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, suggest } from "./read-config.ts";

const STYLES = namesOf<StyleOperations>({ rest: true, graphql: true });

type Options = Pick<ResourceModel, "bulk" | "upsert">;

/** Resolves which operations each style offers: those listed, except those that a rule denies to everyone. */
export function resolveOperations(draft: Draft, options: Options, report: Report): ResourceModel["operations"] {
  const { name, config } = draft;
  const at = `${name}.operations`;
  const given = config["operations"];
  const byStyle: Readonly<Record<string, unknown>> = isObject(given) ? given : { rest: given, graphql: given };
  if (isObject(given)) checkMembers(given, STYLES, at, report);
  const possible = possibleOperations(draft, options);
  const listOf = (style: keyof StyleOperations): OfferedOperations => {
    const place = isObject(given) ? `${at}.${style}` : at;
    // A list for both styles is only checked once.
    const isRepeated = !isObject(given) && style === "graphql";
    const listed = readOperations(byStyle[style], place, isRepeated ? () => {} : report);
    if (!isRepeated && Array.isArray(byStyle[style])) checkUseful(draft, listed, options, place, report);
    return offer((operation) => listed.includes(operation) && possible(operation));
  };
  return { rest: listOf("rest"), graphql: listOf("graphql") };
}

function offer(isOffered: (operation: OperationName) => boolean): OfferedOperations {
  const entries = OPERATION_NAMES.map((operation) => [operation, isOffered(operation)] as const);
  return Object.fromEntries(entries) as unknown as OfferedOperations;
}

function readOperations(given: unknown, at: string, report: Report): readonly OperationName[] {
  if (given === undefined) return OPERATION_NAMES;
  if (!Array.isArray(given)) {
    report(at, "Expected a list of operations.", 'Pass the operations to offer: ["get", "list", "create"].');
    return OPERATION_NAMES;
  }
  return given.filter((operation): operation is OperationName => {
    if ((OPERATION_NAMES as readonly unknown[]).includes(operation)) return true;
    report(at, `Unknown operation ${quoteName(operation)}.`, suggest(operation, OPERATION_NAMES));
    return false;
  });
}

const BULK = { createMany: "create", updateMany: "update", deleteMany: "delete" } as const;

/** Reports operations that are listed but can't exist, because the option that they need is missing. */
function checkUseful(
  { name, declared, config }: Draft,
  listed: readonly OperationName[],
  { bulk }: Options,
  at: string,
  report: Report,
): void {
  for (const [operation, limit] of Object.entries(BULK)) {
    if (!listed.includes(operation as OperationName) || bulk[limit] > 0) continue;
    report(at, `'${operation}' needs 'bulk.${limit}'.`, `Set bulk: { ${limit}: 100 }, or remove '${operation}'.`);
  }
  if (listed.includes("query") && config["queries"] === undefined)
    report(at, `'query' has no effect: '${name}' has no queries.`, "Remove 'query', or add 'queries'.");
  const links = listed.find((operation) => operation === "link" || operation === "unlink");
  if (links === undefined || [...declared.values()].some(({ kind }) => kind === "manyToMany")) return;
  report(at, `'${links}' has no effect: '${name}' has no many-to-many relation.`, `Remove '${links}'.`);
}

/** Returns whether an operation can succeed for any caller. Writes of an existing row need a row that can be read. */
function possibleOperations(
  { access, queries }: Draft,
  { bulk, upsert }: Options,
): (operation: OperationName) => boolean {
  const may = (rule: "read" | "create" | "update" | "delete"): boolean => access?.[rule].kind !== "deny";
  const possible: Readonly<Record<OperationName, boolean>> = {
    get: may("read"),
    list: may("read"),
    watch: may("read"),
    // Each query has its own rule.
    query: queries.size > 0,
    create: may("create"),
    createMany: may("create") && bulk.create > 0,
    replace: (may("read") && may("update")) || (upsert && may("create")),
    update: may("read") && may("update"),
    updateMany: may("read") && may("update") && bulk.update > 0,
    delete: may("read") && may("delete"),
    deleteMany: may("read") && may("delete") && bulk.delete > 0,
    link: may("read"),
    unlink: may("read"),
  };
  return (operation) => possible[operation];
}
