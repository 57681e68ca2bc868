import type { Precondition } from "../../operation/operation.ts";
import { writeQuery } from "../../rest/read/write-query.ts";
import { notExpressible } from "./not-expressible-error.ts";
import type { RestForm } from "./translation.ts";

type Tree = Readonly<Record<string, unknown>>;

/** Longer queries are printed as the body of `QUERY`, because some servers limit URLs. */
const MAX_QUERY_LENGTH = 4_000;

/** `body`: whether the tree may be, or must be, the body of a `QUERY`. */
export function printRead(path: string, tree: Tree, body: "allowed" | "always" | "never"): RestForm {
  const query = writeQuery(tree);
  if (body !== "always" && query !== undefined && query.length <= MAX_QUERY_LENGTH)
    return { method: "GET", url: path + readable(query), headers: {} };
  if (body === "never") notExpressible("A URL can't express null, or an empty list or object.");
  return { method: "QUERY", url: path, headers: { "Content-Type": "application/json" }, body: tree };
}

export function printWrite(
  method: string,
  path: string,
  tree: Tree,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RestForm {
  const query = writeQuery(tree);
  if (query === undefined) notExpressible("The URL of a write can't express null, or an empty list or object.");
  const url = path + readable(query);
  if (body === undefined) return { method, url, headers };
  return { method, url, headers: { "Content-Type": "application/json", ...headers }, body };
}

/** Brackets and commas need no encoding in practice, and URLs are easier to read without it. */
function readable(query: string): string {
  const text = query.replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%2C", ",");
  return text && `?${text}`;
}

export function conditionsOf(operation: {
  readonly ifMatch?: Precondition;
  readonly ifNoneMatch?: Precondition;
}): Record<string, string> {
  const { ifMatch, ifNoneMatch } = operation;
  return {
    ...(ifMatch === undefined ? {} : { "If-Match": preconditionText(ifMatch) }),
    ...(ifNoneMatch === undefined ? {} : { "If-None-Match": preconditionText(ifNoneMatch) }),
  };
}

export function preconditionText(versions: Precondition): string {
  return versions === "*" ? "*" : versions.map((version) => `"${version}"`).join(", ");
}
