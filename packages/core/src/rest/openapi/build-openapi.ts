import type { ResourceModel } from "../../model/model.ts";
import { offeredActions, offeredQueries } from "../../model/offered.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { actionPath } from "./action-paths.ts";
import { createSamples } from "./code-samples.ts";
import { aggregatePath } from "./aggregate-path.ts";
import { collectionPath } from "./collection-paths.ts";
import { documentPaths } from "./document-paths.ts";
import { itemPath } from "./item-paths.ts";
import { compact, type OpenApiOptions, type PathEntry, type DocumentedResource } from "./openapi-types.ts";
import { PARAMETERS } from "./parameters.ts";
import { namedQueryPath } from "./named-query-paths.ts";
import { relationPaths } from "./relation-paths.ts";
import { withScopes } from "./required-scopes.ts";
import { HEADERS, problemResponses } from "./responses.ts";
import { componentSchemas } from "./schemas.ts";
import { uniqueOperationIds } from "./unique-names.ts";

const VERSIONS = { "3.1": "3.1.1", "3.2": "3.2.0" } as const;

/**
 * Builds the OpenAPI document of an API with every path, method, parameter, header and status of its REST interface.
 */
export function buildOpenApi(options: OpenApiOptions): JsonObject {
  const { model, info, schemes, version, described, methodsOfPath, prefix } = options;
  const formats = described === "all" ? options.formats : [];
  const names = Object.keys(schemes);
  const resources = [...model.resources.values()];
  const samples = createSamples(options);
  const all = uniqueOperationIds([
    ...documentPaths(formats, names.length > 0, prefix),
    ...resources
      .flatMap((resource) => resourcePaths({ model, formats, version, described, resource, schemes: names, samples }))
      .flatMap((entry) => onlyAnswered(entry, methodsOfPath)),
  ]);
  const paths = described === "all" ? all : all.map(([path, item]) => [path, withErrorRanges(item)] as const);
  const segments = new Set(paths.map(([path]) => path.split("/")[1]));
  const hasPath = ({ path }: ResourceModel): boolean => segments.has(path);
  const used = usedComponents(paths);
  const responses = problemResponses(used, formats);
  const schemas = componentSchemas({ model, version, described });
  return compact({
    openapi: VERSIONS[version],
    info: { ...info },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    tags: [
      ...resources.filter(hasPath).map(({ plural, description = `The ${plural}.` }) => ({ name: plural, description })),
      { name: "documents", description: "Information about the API." },
    ],
    paths: Object.fromEntries(paths),
    components: compact({
      schemas: reachable(schemas, [paths, responses]),
      parameters: only(PARAMETERS, used),
      responses,
      headers: only(HEADERS, usedComponents([paths, responses])),
      securitySchemes: names.length === 0 ? undefined : (withScopes(schemes, paths) as JsonObject),
    }),
    // By default a credential is optional, because each resource has its own rules. Operations that are public or
    // that refuse anonymous callers override this.
    security: [{}, ...names.map((name) => ({ [name]: [] }))],
  });
}

/** Returns every path of a resource with its operations. */
function resourcePaths(place: DocumentedResource): readonly PathEntry[] {
  const { relations, aggregates } = place.resource;
  return [
    collectionPath(place),
    ...(aggregates.segment === undefined ? [] : [aggregatePath(place, aggregates.segment)]),
    itemPath(place),
    ...[...relations.values()].flatMap((relation) => relationPaths(place, relation)),
    ...offeredActions(place.resource).map((action) => actionPath(place, action)),
    ...offeredQueries(place.resource, "rest").map((query) => namedQueryPath(place, query)),
  ];
}

/** Removes the methods that the resource's store doesn't support, and paths without any method. */
function onlyAnswered([path, item]: PathEntry, answered: OpenApiOptions["methodsOfPath"]): readonly PathEntry[] {
  const methods = answered.get(path) ?? [];
  const { parameters, ...operations } = item;
  const kept = Object.entries(operations).filter(([method]) => methods.includes(method.toUpperCase()));
  return kept.length === 0 ? [] : [[path, compact({ parameters, ...Object.fromEntries(kept) })]];
}

/**
 * Describes other errors as `4XX` and `5XX` instead of `default`, which some generators take for a further successful
 * response.
 */
function withErrorRanges(item: JsonObject): JsonObject {
  const operations = Object.entries(item).map(([key, part]): [string, Json] => {
    const { responses } = part as { readonly responses?: JsonObject };
    if (responses?.["default"] === undefined) return [key, part];
    const { default: error, ...others } = responses;
    return [key, { ...(part as JsonObject), responses: { ...others, "4XX": error, "5XX": error } }];
  });
  return Object.fromEntries(operations);
}

/** Returns the names of the components that are referenced, so that others can be omitted. */
function usedComponents(parts: unknown): ReadonlySet<string> {
  const references = JSON.stringify(parts).matchAll(/"#\/components\/\w+\/([^"]+)"/g);
  return new Set([...references].map(([, name]) => name as string));
}

/** Returns the schemas that the parts refer to, directly or through other schemas. */
function reachable(schemas: JsonObject, parts: unknown): JsonObject {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    for (const name of usedComponents(part)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name] ?? null);
    }
  };
  visit(parts);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function only(components: Readonly<Record<string, JsonObject>>, used: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)));
}
