import type { ProblemPlace } from "../formats/format.ts";
import { attributeName } from "./attributes.ts";

/**
 * Returns the location of a field's issue in a request document (JSON:API 1.1 §11.2). If the field is missing, this is
 * the object that lacks it.
 */
export function placeOf(
  path: readonly (string | number)[],
  isMissing: boolean,
  body: ProblemPlace["body"],
): readonly string[] {
  const [name = "", ...inner] = path.map(String);
  // A body in another format contains the fields directly.
  if (body === undefined) return isMissing ? path.slice(0, -1).map(String) : path.map(String);
  if (!body.isRow) return ["data"];
  const { resource } = body;
  const isWhole = inner.length === 0;
  if (resource.key.includes(name)) return isMissing ? ["data"] : ["data", "id"];
  const relation = [...resource.relations.values()].find(({ kind, local }) => kind === "belongsTo" && local === name);
  if (relation !== undefined) return isMissing ? ["data"] : ["data", "relationships", relation.name, "data"];
  if (name === "" || (isMissing && isWhole)) return ["data", "attributes"];
  return ["data", "attributes", attributeName(resource, name), ...(isMissing ? inner.slice(0, -1) : inner)];
}
