import { formatId } from "../../operation/key.ts";
import type { Key } from "../../model/model.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Selection } from "../../operation/selection.ts";
import { nestedMembers } from "../../rest/patch/merge-patch.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { omitUndefined } from "../../util/omit-undefined.ts";
import { searchText } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";
import { conditionsOf, printRead, printWrite } from "./rest-line.ts";
import { groupsTree } from "./groups-tree.ts";
import { relatedRequest, watchRequest } from "./rest-reads.ts";
import { listTree, selectTree } from "./select-tree.ts";
import type { RestForm } from "./translation.ts";
import { shortenFilter, writeFilter } from "./write-filter.ts";

type Tree = Readonly<Record<string, unknown>>;
type Of<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Prints an operation as a REST request. Throws NotExpressibleError if REST has no such request. */
export function restRequest(context: PrintContext, operation: Operation): RestForm {
  const place = printedResource(context, operation.resource);
  const { resource, described } = place;
  const { path } = described;
  const body = context.isQuery === true ? "always" : "allowed";
  const at = (key: Key): string => `${path}/${formatId(resource, key)}`;
  const shape = ({ selection }: { readonly selection: Selection }): Tree => selectTree(context, resource, selection);
  const conditionOf = ({ filter, search }: Of<"updateMany" | "deleteMany">): Tree =>
    omitUndefined({
      filter: filter && shortenFilter(writeFilter(context.model, resource, filter)),
      q: search && searchText(search),
    });
  switch (operation.kind) {
    case "list":
      return operation.query === undefined
        ? printRead(
            requireOffered(place, "list").path,
            {
              ...listTree(context, resource, operation),
              ...shape(operation),
              ...deletedOf(operation),
            },
            body,
          )
        : printRead(
            queryPath(place, operation.query),
            {
              ...inputOf(operation.query),
              ...listTree(context, resource, operation),
              ...shape(operation),
            },
            body,
          );
    case "query":
      return printRead(queryPath(place, operation.query), inputOf(operation.query), body);
    case "aggregate":
      return printRead(requireOffered(place, "list").path, groupsTree(context, resource, operation, operation), body);
    case "get":
      return (
        relatedRequest(context, place, operation) ??
        printRead(
          `${requireOffered(place, "get").path}/${formatId(resource, operation.key)}`,
          { ...shape(operation), ...deletedOf(operation) },
          "never",
        )
      );
    case "create":
    case "createMany": {
      const body = operation.kind === "create" ? operation.input : operation.inputs;
      const { within } = operation;
      if (within === undefined)
        return printWrite("POST", requireOffered(place, operation.kind).path, shape(operation), body);
      const owner = printedResource(context, within.resource);
      // The description has no relations that no caller can read, and a create needs only the parent row.
      return printWrite(
        "POST",
        `${owner.described.path}/${formatId(owner.resource, within.key)}/${kebabCase(within.relation)}`,
        shape(operation),
        body,
      );
    }
    case "replace":
    case "update": {
      requireOffered(place, operation.kind);
      const [merged] = operation.kind === "update" ? nestedMembers(resource, operation.input) : [];
      if (merged !== undefined)
        notExpressible(
          `PATCH merges into the object in '${merged}', and this operation replaces it. A JSON Patch can replace it, but reads the row first.`,
        );
      const method = operation.kind === "replace" ? "PUT" : "PATCH";
      return printWrite(method, at(operation.key), shape(operation), operation.input, conditionsOf(operation));
    }
    case "delete":
      requireOffered(place, "delete");
      return printWrite("DELETE", at(operation.key), {}, undefined, conditionsOf(operation));
    case "updateMany": {
      const shown = operation.selection === undefined ? {} : shape({ selection: operation.selection });
      const headers = operation.selection === undefined ? {} : { Prefer: "return=representation" };
      return printWrite(
        "PATCH",
        requireOffered(place, "updateMany").path,
        { ...conditionOf(operation), ...shown },
        operation.input,
        { ...conditionsOf(operation), ...headers },
      );
    }
    case "deleteMany":
      return printWrite(
        "DELETE",
        requireOffered(place, "deleteMany").path,
        conditionOf(operation),
        undefined,
        conditionsOf(operation),
      );
    case "link":
    case "unlink":
      return link(context, place, operation);
    case "act": {
      const { returns, path: segment = "" } = described.actions[operation.action] ?? {};
      const base = operation.key === undefined ? path : at(operation.key);
      return printWrite(
        "POST",
        `${base}/${segment}`,
        returns === "row" ? shape(operation) : {},
        operation.input,
        conditionsOf(operation),
      );
    }
    case "watch":
      return watchRequest(place, operation, {
        ...(operation.filter && { filter: shortenFilter(writeFilter(context.model, resource, operation.filter)) }),
        ...shape(operation),
      });
    case "permissions":
      return notExpressible("REST has no request for permissions. Its responses in HTML and HAL contain them.");
  }
}

function requireOffered({ described }: PrintedResource, operation: string): { readonly path: string } {
  if (!described.rest.includes(operation)) notExpressible(`REST doesn't offer '${operation}' for '${described.name}'.`);
  return described;
}

function deletedOf({ deleted }: Of<"get" | "list">): Tree {
  return deleted === undefined ? {} : { deleted };
}

type QueryCall = Of<"query">["query"];

function queryPath({ resource, described }: PrintedResource, { name, key }: QueryCall): string {
  const query = described.queries[name];
  if (query?.rest !== true) return notExpressible(`REST doesn't offer the query '${name}'.`);
  return `${described.path}${key === undefined ? "" : `/${formatId(resource, key)}`}/${query.path}`;
}

function inputOf({ input }: QueryCall): Tree {
  return (input ?? {}) as Tree;
}

function link(context: PrintContext, place: PrintedResource, operation: Of<"link" | "unlink">): RestForm {
  const { kind, key, relation, target, more, selection } = operation;
  const { path } = requireOffered(place, kind);
  const { to = "", path: segment } = place.described.relations[relation] ?? {};
  const { resource: other } = printedResource(context, to);
  if (more !== undefined && more.length > 0) notExpressible("Only JSON:API links several rows in one request.");
  if (selection !== undefined && selection.fields.length + selection.relations.length > 0)
    notExpressible("REST returns no row for a link. Read the row afterwards.");
  const url = `${path}/${formatId(place.resource, key)}/${segment}/${formatId(other, target)}`;
  return printWrite(kind === "link" ? "PUT" : "DELETE", url, {}, undefined);
}
