import type { ClientDescription, ClientResource } from "@bifocal/core";

/** Returns the resource to which the field of a group term belongs, and the field: `name` of `author` for `author.name`. */
export function groupField(
  description: ClientDescription,
  resource: ClientResource,
  term: string,
): { readonly owner: ClientResource; readonly name: string } {
  const dot = term.indexOf(".");
  const relation = dot < 0 ? undefined : resource.relations[term.slice(0, dot)];
  if (relation === undefined) return { owner: resource, name: term };
  return { owner: description.resources[relation.to] as ClientResource, name: term.slice(dot + 1) };
}

/** Converts `createdAt.month` to `createdAtMonth`, and `author.name` to `authorName`, as GraphQL names them. */
export function keyName(term: string): string {
  return term.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}
