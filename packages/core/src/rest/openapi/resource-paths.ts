import type { ActionModel, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { JsonObject } from "../../util/json.ts";
import { compact, ref } from "./openapi-types.ts";
import { idParameter, listParameters, shapeParameters } from "./parameters.ts";
import { answer, problems, requestBody } from "./responses.ts";
import { inputName } from "./schemas.ts";
import { valueSchema } from "./value-schema.ts";

const IF_MATCH: JsonObject = {
  name: "If-Match",
  in: "header",
  description: "Only where the row is still in one of these versions.",
  schema: { type: "string" },
};
const READ = ["BAD_REQUEST", "UNAUTHENTICATED", "FORBIDDEN", "NOT_ACCEPTABLE"] as const;
const WRITE = [...READ, "CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"] as const;

/** Every path of a resource with its operations. */
export function resourcePaths(model: Model, resource: ResourceModel): readonly (readonly [string, JsonObject])[] {
  const base = `/${resource.path}`;
  const paths: [string, JsonObject][] = [
    [base, collectionPath(model, resource)],
    [`${base}/{id}`, itemPath(resource)],
  ];
  for (const relation of resource.relations.values()) {
    const path = `${base}/{id}/${kebabCase(relation.name)}`;
    paths.push([path, relationPath(model, resource, relation)]);
    if (relation.through === undefined) continue;
    paths.push([`${path}/{${relation.target}Id}`, linkPath(model, resource, relation)]);
  }
  for (const action of resource.actions.values()) {
    const path = `${base}${action.on === "item" ? "/{id}" : ""}/${kebabCase(action.name)}`;
    paths.push([path, actionPath(resource, action)]);
  }
  return paths;
}

/** What stands in every operation of a resource. */
function operation(resource: ResourceModel, operationId: string, summary: string, more: JsonObject): JsonObject {
  const deprecated = resource.deprecated === undefined ? undefined : true;
  return compact({ operationId, summary, tags: [resource.plural], deprecated, ...more });
}

function collectionPath(model: Model, resource: ResourceModel): JsonObject {
  const row = ref("schemas", resource.typeName);
  const { plural, typeName } = resource;
  return {
    get: operation(resource, `list${resource.pluralTypeName}`, `A page of ${plural}`, {
      parameters: [...listParameters(model, resource), ...shapeParameters(resource)],
      responses: {
        "200": answer(`A list of ${plural}.`, { type: "array", items: row }, ["ETag", "Link", "Total-Count"]),
        ...problems(...READ),
      },
    }),
    post: operation(resource, `create${typeName}`, `Makes a new ${resource.name}`, {
      parameters: [...shapeParameters(resource)],
      requestBody: requestBody(ref("schemas", inputName(resource, "create"))),
      responses: { "201": answer("Created.", row, ["ETag", "Location"]), ...problems(...WRITE) },
    }),
  };
}

function itemPath(resource: ResourceModel): JsonObject {
  const row = ref("schemas", resource.typeName);
  const { name, typeName } = resource;
  const changed = {
    "200": answer(`The ${name} as it is now.`, row, ["ETag"]),
    "204": answer("Done; a minimal answer was preferred.", undefined),
    ...problems(...WRITE, "NOT_FOUND", "PRECONDITION_FAILED"),
  };
  const merge = ["application/merge-patch+json", "application/json"];
  return {
    parameters: [idParameter("id", resource)],
    get: operation(resource, `get${typeName}`, `One ${name}`, {
      parameters: [...shapeParameters(resource)],
      responses: { "200": answer(`A ${name}.`, row, ["ETag"]), ...problems(...READ, "NOT_FOUND") },
    }),
    put: operation(resource, `replace${typeName}`, `Writes every field of a ${name} anew`, {
      parameters: [...shapeParameters(resource), IF_MATCH],
      requestBody: requestBody(ref("schemas", inputName(resource, "replace"))),
      responses: changed,
    }),
    patch: operation(resource, `update${typeName}`, `Changes a ${name}`, {
      parameters: [...shapeParameters(resource), IF_MATCH],
      requestBody: requestBody(ref("schemas", inputName(resource, "update")), merge),
      responses: changed,
    }),
    delete: operation(resource, `delete${typeName}`, `Deletes a ${name}`, {
      parameters: [IF_MATCH],
      responses: {
        "200": answer("Deleted.", {
          type: "object",
          properties: { deleted: { const: true }, id: {} },
          required: ["deleted", "id"],
        }),
        "204": answer("Deleted; a minimal answer was preferred.", undefined),
        ...problems(...READ, "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED"),
      },
    }),
  };
}

function relationPath(model: Model, resource: ResourceModel, relation: RelationModel): JsonObject {
  const target = model.resources.get(relation.target) as ResourceModel;
  const row = ref("schemas", target.typeName);
  const name = `${resource.typeName}${relation.name.charAt(0).toUpperCase()}${relation.name.slice(1)}`;
  const list = relation.many ? listParameters(model, target) : [];
  const answered = relation.many
    ? answer(`A list of ${target.plural}.`, { type: "array", items: row }, ["ETag", "Link", "Total-Count"])
    : answer(`A ${target.name}.`, row, ["ETag"]);
  const creates = relation.kind === "hasMany" || relation.kind === "hasOne";
  return compact({
    parameters: [idParameter("id", resource)],
    get: operation(resource, `get${name}`, `The ${relation.name} of a ${resource.name}`, {
      parameters: [...list, ...shapeParameters(target)],
      responses: { "200": answered, ...problems(...READ, "NOT_FOUND") },
    }),
    post: creates
      ? operation(resource, `create${name}`, `Makes a new ${target.name} of a ${resource.name}`, {
          requestBody: requestBody(ref("schemas", inputName(target, "update"))),
          responses: { "201": answer("Created.", row, ["ETag", "Location"]), ...problems(...WRITE, "NOT_FOUND") },
        })
      : undefined,
  });
}

function linkPath(model: Model, resource: ResourceModel, relation: RelationModel): JsonObject {
  const target = model.resources.get(relation.target) as ResourceModel;
  const name = `${resource.typeName}${relation.name.charAt(0).toUpperCase()}${relation.name.slice(1)}`;
  const responses = { "204": answer("Done.", undefined), ...problems(...READ, "NOT_FOUND") };
  return {
    parameters: [idParameter("id", resource), idParameter(`${relation.target}Id`, target)],
    put: operation(resource, `link${name}`, `Adds one to the ${relation.name} of a ${resource.name}`, { responses }),
    delete: operation(resource, `unlink${name}`, `Takes one out of the ${relation.name} of a ${resource.name}`, {
      responses,
    }),
  };
}

function actionPath(resource: ResourceModel, action: ActionModel): JsonObject {
  const { name, on, input, output, description } = action;
  const suffix = on === "item" ? resource.typeName : resource.pluralTypeName;
  const row = ref("schemas", resource.typeName);
  const done =
    output !== undefined
      ? { "200": answer("What it answers.", valueSchema(output.type)) }
      : on === "item"
        ? { "200": answer(`The ${resource.name} as it is now.`, row, ["ETag"]) }
        : { "204": answer("Done.", undefined) };
  const post = operation(
    resource,
    name + suffix,
    description ?? `${name} ${on === "item" ? resource.name : resource.plural}`,
    {
      ...(input === undefined ? {} : { requestBody: requestBody(valueSchema(input.type)) }),
      responses: { ...done, ...problems(...WRITE, ...(on === "item" ? (["NOT_FOUND"] as const) : [])) },
      ...(action.deprecated === undefined ? {} : { deprecated: true }),
    },
  );
  return compact({ parameters: on === "item" ? [idParameter("id", resource)] : undefined, post });
}
