import { withArticle } from "../openapi/with-article.ts";
import { linkRules } from "../../model/link-rules.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { RELATIONSHIPS } from "./linkage.ts";
import { READ, WRITE } from "../openapi/collection-paths.ts";
import { operation, type PathEntry, type DocumentedResource } from "../openapi/openapi-types.ts";
import { idParameter, listParameters, shared } from "../openapi/parameters.ts";
import { readSecurity, security } from "../openapi/required-scopes.ts";
import { answer, describeNotModified, problems } from "../openapi/responses.ts";

/** Describes paths such as `/books/{id}/relationships/author`. `name` is the relation's name in operation ids. */
export function relationshipPath(
  place: DocumentedResource,
  relation: RelationModel,
  name: string,
  types: readonly string[],
): PathEntry {
  const { resource } = place;
  const target = place.model.resources.get(relation.target) as ResourceModel;
  const what = `the ids of the ${relation.name} of ${withArticle(resource.name)}`;
  const headers = relation.many ? ["ETag", "Link"] : ["ETag"];
  const isAlwaysRead = target.access.read.kind === "allow" && relation.read.kind === "allow";
  const read = linkage(types, target, relation, relation.nullable || !isAlwaysRead);
  const written = linkage(types, target, relation, relation.nullable);
  const found = answer("The identifiers of the related rows.", read, headers);
  const get = operation(resource, `get${name}Relationship`, `Get ${what}`, {
    ...readSecurity(place, resource.access.read, target.access.read),
    parameters: [
      ...(relation.many ? listParameters(place, target) : []),
      ...shared("ifMatch", "ifNoneMatch", "prefer"),
    ],
    responses: {
      "200": found,
      "304": describeNotModified(...headers),
      ...problems(...READ, "NOT_FOUND", "PRECONDITION_FAILED"),
    },
  });
  const writing =
    relation.kind === "belongsTo"
      ? [resource.access.update]
      : linkRules(place.model, relation).map((rule) => rule.relation.link);
  const change = (id: string, summary: string, parameters: readonly JsonObject[]): JsonObject =>
    operation(resource, `${id}${name}Relationship`, summary, {
      ...security(place, resource.access.read, ...writing),
      parameters,
      requestBody: { required: true, content: written },
      responses: {
        "204": answer("Done.", undefined, ["Idempotent-Replayed"]),
        ...problems(...WRITE, "NOT_FOUND", "PRECONDITION_FAILED"),
      },
    });
  const key = shared("idempotencyKey");
  const path = `/${resource.path}/{id}/${RELATIONSHIPS}/${kebabCase(relation.name)}`;
  const item = { parameters: [idParameter("id", resource)], get };
  if (relation.kind === "belongsTo") {
    if (!relation.toKey) return [path, item];
    const patch = change(
      "set",
      relation.nullable ? `Set or clear the related ${target.name}` : `Set the related ${target.name}`,
      [...shared("ifMatch", "ifNoneMatch"), ...key],
    );
    return [path, { ...item, patch }];
  }
  if (relation.through === undefined) return [path, item];
  // Only documented if it is served.
  const patch = change("set", `Set the ${relation.name} of ${withArticle(resource.name)}`, [
    ...shared("ifMatch", "ifNoneMatch"),
    ...key,
  ]);
  const post = change("add", `Add ${target.plural} to the ${relation.name} of ${withArticle(resource.name)}`, key);
  const remove = change(
    "remove",
    `Remove ${target.plural} from the ${relation.name} of ${withArticle(resource.name)}`,
    key,
  );
  return [path, { ...item, patch, post, delete: remove }];
}

/** A document of resource identifiers (JSON:API 1.1 §7.3). */
function linkage(
  types: readonly string[],
  target: ResourceModel,
  { many }: RelationModel,
  isNullable: boolean,
): JsonObject {
  const one: JsonObject = {
    type: !many && isNullable ? ["object", "null"] : "object",
    properties: { type: { const: target.plural }, id: { type: "string" } },
    required: ["type", "id"],
  };
  const data: JsonObject = many ? { type: "array", items: one } : one;
  const schema: JsonObject = { type: "object", properties: { data }, required: ["data"] };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}
