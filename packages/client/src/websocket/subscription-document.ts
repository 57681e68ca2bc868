import type { ClientDescription, ClientResource } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { createArguments, type Document } from "../graphql/document.ts";
import { toListArguments } from "../graphql/input.ts";
import { writeSelection } from "../graphql/selection.ts";
import type { Groups } from "../groups.ts";
import { formatId } from "../id.ts";
import type { OpenedQuery } from "../watch.ts";

/** Writes the subscription of a watch, and returns the name of its root field. */
export async function subscriptionDocument(
  description: ClientDescription,
  resource: ClientResource,
  { id, filter, after, initial, select }: OpenedQuery,
  groups: Groups | undefined,
): Promise<{ readonly field: string; readonly document: Document }> {
  const root = resource.graphql["watch"];
  if (!root) throw new BifocalError("METHOD_NOT_ALLOWED", `GraphQL doesn't offer 'watch' for '${resource.name}'.`);
  if (description.graphql.globalIds) {
    throw new BifocalError("BAD_REQUEST", "Global ids need event streams: leave out the option 'watch'.");
  }
  const { field, args: types } = root;
  const args = createArguments();
  const written = args.write(resource.name, types, {
    id: id === undefined ? undefined : formatId(resource, id),
    filter: toListArguments(description, resource, { ...(filter && { filter }) })["filter"],
    after,
    initial: initial || undefined,
  });
  const aggregates = groups && (await import("../graphql/aggregate.ts"));
  const selection = writeSelection(description, resource, select, args, aggregates);
  return { field, document: args.finish("subscription", `${field}${written} ${selection}`) };
}
