import type { Json, JsonObject } from "../../util/json.ts";
import type { PathEntry } from "./openapi-types.ts";

/**
 * Makes names unique. The first of several equal names is kept; the others get the next number that results in an
 * unused name.
 */
export function uniqueNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set(wanted);
  const given = new Set<string>();
  return wanted.map((name) => {
    let own = name;
    for (let number = 2; given.has(own) || (own !== name && taken.has(own)); number++) own = `${name}${number}`;
    given.add(own);
    return own;
  });
}

/** Makes all operation ids unique (OpenAPI 3.1 §4.8.10.1). */
export function uniqueOperationIds(paths: readonly PathEntry[]): readonly PathEntry[] {
  // If the id of a relation or action equals that of a standard operation, the relation or action gets the number.
  const inOrder = [...paths.filter(isOwn), ...paths.filter((entry) => !isOwn(entry))].flatMap(operationsOf);
  const ids = uniqueNames(inOrder.map(({ operationId }) => operationId as string));
  const idOf = new Map(inOrder.map((operation, index) => [operation, ids[index] as string]));
  return paths.map(([path, item]) => {
    const renamed = Object.entries(item).map(([key, part]): [string, Json] => {
      const operationId = idOf.get(part as JsonObject);
      return [key, operationId === undefined ? part : { ...(part as JsonObject), operationId }];
    });
    return [path, Object.fromEntries(renamed)];
  });
}

/** Whether a path is that of a document, a collection or a row. */
function isOwn([path]: PathEntry): boolean {
  return /^\/[^/]*(\/\{id\})?$/.test(path);
}

/** Returns the operations of a path, without its parameters. */
function operationsOf([, item]: PathEntry): readonly JsonObject[] {
  return Object.values(item).filter((part): part is JsonObject => !Array.isArray(part));
}
