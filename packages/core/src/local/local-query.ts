import { isPlainObject, refuse } from "../errors/refuse.ts";
import { lowerCount } from "../lowering/lower-count.ts";
import { notFound } from "../lowering/not-found.ts";
import type { LoweringTarget } from "../lowering/lower-filter.ts";
import type { Limits } from "../limits/limits.ts";
import type { QueryModel } from "../model/model.ts";
import { lowerKey } from "../operation/key.ts";
import type { ListOperation, QueryOperation, QueryCall } from "../operation/operation.ts";
import { checkNames, lowerLocalList, lowerSelected } from "./local-options.ts";

type Options = Readonly<Record<string, unknown>>;

/** Lowers a local call of a query: its id, if it is on a row, its input, if it has one, and its options. */
export function lowerLocalQuery(
  target: LoweringTarget,
  query: QueryModel,
  args: readonly unknown[],
  limits: Limits,
): { readonly operation: ListOperation | QueryOperation; readonly options: Options } {
  const { resource } = target;
  const rest = [...args];
  const key = query.on === "item" ? lowerKey(resource, rest.shift()) : undefined;
  if (query.on === "item" && key === undefined) throw notFound(resource);
  const input = query.input === undefined ? undefined : (rest.shift() ?? {});
  const call: QueryCall = {
    name: query.name,
    ...(key === undefined ? {} : { key }),
    ...(input === undefined ? {} : { input }),
    form: "value",
  };
  const options = rest.shift() ?? {};
  if (!isPlainObject(options)) return refuse([], "malformed", `The options of '${query.name}' must be an object.`);
  if (query.output !== undefined) {
    checkNames(options, ["signal"], []);
    return { operation: { kind: "query", resource: resource.name, query: call }, options };
  }
  checkNames(options, ["filter", "search", "sort", "page", "count", "select", "signal"], []);
  const count = lowerCount(resource, options["count"], ["count"]);
  const operation: ListOperation = {
    kind: "list",
    resource: resource.name,
    query: call,
    ...lowerLocalList(target, options, limits, []),
    ...(count === false ? {} : { count }),
    ...lowerSelected(target, options, limits),
  };
  return { operation, options };
}
