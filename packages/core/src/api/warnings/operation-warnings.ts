import { offeredActions, offeredRelations } from "../../model/offered.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import type { Warning } from "../../errors/warning.ts";

/** Warns about resources that callers can change but not read, unless their read rule is `deny`. */
export function* operationWarnings(model: Model): Generator<Warning> {
  const resources = [...model.resources.values()];
  const related = new Set(
    resources.flatMap((resource) => offeredRelations(model, resource).map(({ target }) => target)),
  );
  const names = resources
    .filter((resource) => resource.access.read.kind !== "deny" && !related.has(resource.name))
    .filter((resource) => isWritten(resource) && !isRead(resource))
    .map(({ name }) => name);
  if (names.length === 0) return;
  const message = `Callers can change ${names.join(", ")}, but no operation reads them. Add "get" or "list" to \`operations\`, or set \`read: deny\`.`;
  yield { code: "unreadable", message };
}

function isRead({ operations: { rest, graphql } }: ResourceModel): boolean {
  return [rest, graphql].some(({ get, list, watch }) => get || list || watch);
}

function isWritten(resource: ResourceModel): boolean {
  const { rest, graphql } = resource.operations;
  return offeredActions(resource).length > 0 || [rest, graphql].some((style) => Object.values(style).includes(true));
}
