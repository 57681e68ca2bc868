import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { Model } from "../../model/model.ts";
import { closestName } from "../../util/closest-name.ts";

/**
 * Returns the error for a path that isn't part of the API. It names only paths that the index and the OpenAPI document
 * show to every caller.
 */
export function noSuchPath(model: Model, { path, prefix }: Pick<HttpRequest, "path" | "prefix">): BifocalError {
  const known = ["graphql", "openapi.json"];
  for (const { operations, path: own } of model.resources.values()) if (operations.rest.list) known.push(own);
  const [first = "", ...others] = path.split("/").slice(1);
  // `/api/books` of an API that is mounted without a prefix.
  const meant = others.find((segment) => known.includes(segment)) ?? closestName(first, known);
  const hint = meant === undefined ? `GET ${prefix}/ lists the collections.` : `Did you mean '${prefix}/${meant}'?`;
  return new BifocalError("NOT_FOUND", `Nothing exists at this path. ${hint}`);
}
