const METHODS = ["get", "put", "post", "patch", "delete"];

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Returns every operation of a document, such as `PATCH /books/{id}`, with the media types of its request body. */
export function operationsOf({ paths }: OpenApiDocument): ReadonlyMap<string, readonly string[]> {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map(
      (method) =>
        [`${method.toUpperCase()} ${path}`, Object.keys(item[method]?.requestBody?.content ?? {})] as [
          string,
          readonly string[],
        ],
    ),
  );
  return new Map(operations);
}

/** Returns the operation that a request is for. A path without parameters wins over one with parameters. */
export function operationOf(operations: Iterable<string>, method: string, path: string): string | undefined {
  const matching = [...operations].filter((operation) => {
    const [verb, template = ""] = operation.split(" ");
    return (
      verb === method && new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path.split("?", 1)[0] ?? "")
    );
  });
  return matching.find((operation) => !operation.includes("{")) ?? matching[0];
}

/**
 * Returns the document with one media type for request bodies. Prism ignores the part of a media type before `+json`, so it
 * validates JSON Patch and JSON:API bodies by the first JSON schema of the operation unless there is only one.
 */
export function withOneMediaType(document: OpenApiDocument, mediaType: string): OpenApiDocument {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths)) {
    for (const { requestBody } of Object.values(item)) {
      const schema = requestBody?.content[mediaType];
      if (requestBody !== undefined && schema !== undefined)
        Object.assign(requestBody, { content: { [mediaType]: schema } });
    }
  }
  return copy;
}
