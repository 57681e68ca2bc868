import type { Json, JsonObject } from "../../util/json.ts";
import { actionPath } from "./action-paths.ts";
import { collectionPath } from "./collection-paths.ts";
import { documentPaths } from "./document-paths.ts";
import { itemPath } from "./item-paths.ts";
import { compact, type OpenApiOptions, type PathEntry, type DocumentedResource } from "./openapi-types.ts";
import { PARAMETERS } from "./parameters.ts";
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
  const all = uniqueOperationIds([
    ...documentPaths(formats),
    ...resources
      .flatMap((resource) => resourcePaths({ model, formats, version, described, resource, schemes: names }))
      .flatMap((entry) => onlyAnswered(entry, methodsOfPath)),
  ]);
  const paths = described === "all" ? all : all.map(([path, item]) => [path, withErrorRanges(item)] as const);
  const used = usedComponents(paths);
  const responses = problemResponses(used, formats);
  return compact({
    openapi: VERSIONS[version],
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: { ...info },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    tags: [
      ...resources.map(({ plural, description = `The ${plural}.` }) => ({ name: plural, description })),
      { name: "documents", description: "Information about the API." },
    ],
    paths: Object.fromEntries(paths),
    components: compact({
      schemas: componentSchemas({ model, version, described }),
      parameters: only(PARAMETERS, used),
      responses,
      headers: only(HEADERS, usedComponents([paths, responses])),
      securitySchemes: names.length === 0 ? undefined : (withScopes(schemes, paths) as JsonObject),
    }),
    // By default a credential is optional, because each resource has its own rules. Operations whose rules require
    // scopes override this.
    security: [{}, ...names.map((name) => ({ [name]: [] }))],
  });
}

/** Returns every path of a resource with its operations. */
function resourcePaths(place: DocumentedResource): readonly PathEntry[] {
  const { relations, actions } = place.resource;
  return [
    collectionPath(place),
    itemPath(place),
    ...[...relations.values()].flatMap((relation) => relationPaths(place, relation)),
    ...[...actions.values()].map((action) => actionPath(place, action)),
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

function only(components: Readonly<Record<string, JsonObject>>, used: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)));
}
