import { formatId } from "../../operation/key.ts";
import type { Operation } from "../../operation/operation.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";
import { printRead } from "./rest-line.ts";
import { listTree, selectTree } from "./select-tree.ts";
import type { RestForm } from "./translation.ts";
import { groupsTree } from "./groups-tree.ts";

type Tree = Readonly<Record<string, unknown>>;
type Of<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Reads of a single relation have their own path: `/authors/1/books`. */
export function relatedRequest(
  context: PrintContext,
  { resource, described }: PrintedResource,
  operation: Of<"get">,
): RestForm | undefined {
  const { selection, key } = operation;
  const [one, ...others] = selection.relations;
  if (one === undefined || others.length > 0 || selection.fields.length > 0 || operation.deleted !== undefined)
    return undefined;
  if (operation.relation === undefined && one.aggregation === undefined) return undefined;
  const { to = "", path } = described.relations[one.relation] ?? {};
  const target = printedResource(context, to);
  const tree =
    one.aggregation === undefined
      ? { ...listTree(context, target.resource, one), ...selectTree(context, target.resource, one.selection) }
      : groupsTree(context, target.resource, one.aggregation, one);
  return printRead(`${described.path}/${formatId(resource, key)}/${path}`, tree, "never");
}

export function watchRequest(
  { resource, described }: PrintedResource,
  { on, key, after, initial }: Of<"watch">,
  tree: Tree,
): RestForm {
  if (!described.rest.includes("watch")) notExpressible(`REST doesn't offer 'watch' for '${described.name}'.`);
  if (on.length < 3) notExpressible("An event stream of REST has all kinds of changes. Ignore the others.");
  if (key !== undefined && tree["filter"] !== undefined)
    notExpressible("An event stream of one row can't have a filter in REST.");
  const path = key === undefined ? described.path : `${described.path}/${formatId(resource, key)}`;
  const { url } = printRead(path, { ...tree, ...(initial === true ? { initial } : {}) }, "never");
  return {
    method: "GET",
    url,
    headers: { Accept: "text/event-stream", ...(after === undefined ? {} : { "Last-Event-ID": after }) },
  };
}
