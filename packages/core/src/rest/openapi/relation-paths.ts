import { capitalArticle, withArticle } from "./with-article.ts";
import { describesAggregates, rowsOrGroups } from "./aggregate-schemas.ts";
import { linkRules } from "../../model/link-rules.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { CREATED_HEADERS, orMany, PAGE_HEADERS, READ, WRITE } from "./collection-paths.ts";
import { formatHeaders, inputBody, itemContent, listContent } from "./content.ts";
import { inputExample } from "./examples.ts";
import { compact, operation, type PathEntry, type DocumentedResource, ref, sampled } from "./openapi-types.ts";
import { idParameter, listParameters, shapeParameters, shared, sharedOf } from "./parameters.ts";
import { routesOf } from "../routes/format-routes.ts";
import { readSecurity, security } from "./required-scopes.ts";
import { answer, describeNotModified, problems } from "./responses.ts";
import { sampleCreateWithin, sampleLink, sampleRelated } from "./sample-operations.ts";
import { nestedName, schemaRef } from "./schema-names.ts";

/**
 * Describes paths such as `/authors/{id}/books`, those that formats add, and `/books/{id}/tags/{tagId}` for
 * many-to-many relations.
 */
export function relationPaths(place: DocumentedResource, relation: RelationModel): readonly PathEntry[] {
  const { model, resource } = place;
  const target = model.resources.get(relation.target) as ResourceModel;
  const name = `${resource.typeName}${relation.name.charAt(0).toUpperCase()}${relation.name.slice(1)}`;
  const path = `/${resource.path}/{id}/${kebabCase(relation.name)}`;
  const own: PathEntry[] = [[path, relationItem(place, relation, target, name)]];
  for (const [routes, types] of routesOf(place.formats)) {
    const added = routes.describe(place, relation, name, types);
    if (added !== undefined) own.push(added);
  }
  if (relation.through === undefined) return own;
  const responses = {
    "204": answer("Done.", undefined, ["Idempotent-Replayed"]),
    ...problems(...READ, "NOT_FOUND", "PRECONDITION_FAILED"),
  };
  const rules = linkRules(model, relation).map((rule) => rule.relation.link);
  const needed = security(place, resource.access.read, ...rules);
  const parts = (kind: "link" | "unlink") => ({
    ...sampled(place, needed, sampleLink(kind, resource, relation, target)),
    parameters: shared("idempotencyKey"),
    responses,
  });
  const put = `Add a link to the ${relation.name} of ${withArticle(resource.name)}`;
  const remove = `Remove a link from the ${relation.name} of ${withArticle(resource.name)}`;
  const link: PathEntry = [
    `${path}/{${relation.target}Id}`,
    {
      parameters: [idParameter("id", resource), idParameter(`${relation.target}Id`, target)],
      put: operation(resource, `link${name}`, put, parts("link")),
      delete: operation(resource, `unlink${name}`, remove, parts("unlink")),
    },
  ];
  return [...own, link];
}

function relationItem(
  place: DocumentedResource,
  relation: RelationModel,
  target: ResourceModel,
  name: string,
): PathEntry[1] {
  const { model, resource } = place;
  const row = schemaRef(model, target);
  const list = relation.many ? listParameters(place, target, describesAggregates(place, target)) : [];
  const headers = relation.many ? PAGE_HEADERS : ["ETag", "Preference-Applied"];
  const answered = relation.many
    ? answer(
        `A list of ${target.plural}.`,
        listContent(place, rowsOrGroups(place, { type: "array", items: row }, target), target),
        [...headers, ...formatHeaders(place, target, "list")],
      )
    : answer(`${capitalArticle(target.name)}.`, itemContent(place, row, target), [
        ...headers,
        ...formatHeaders(place, target, "item"),
      ]);
  const creates = relation.kind === "hasMany" || relation.kind === "hasOne";
  const created = answer("Created.", itemContent(place, orMany(place, row, target, "answer"), target), [
    ...CREATED_HEADERS,
    ...formatHeaders(place, target, "item"),
  ]);
  return compact({
    parameters: [idParameter("id", resource)],
    get: operation(resource, `get${name}`, `Get the ${relation.name} of ${withArticle(resource.name)}`, {
      subject: target,
      ...sampled(
        place,
        readSecurity(place, resource.access.read, target.access.read),
        sampleRelated(resource, relation, target),
      ),
      parameters: [...list, ...shapeParameters(place, target), ...sharedOf(place, "ifMatch", "ifNoneMatch", "prefer")],
      responses: {
        "200": answered,
        "304": describeNotModified(...headers),
        ...problems(...READ, "NOT_FOUND", "PRECONDITION_FAILED"),
      },
    }),
    post: creates
      ? operation(resource, `create${name}`, `Create ${withArticle(target.name)} for ${withArticle(resource.name)}`, {
          subject: target,
          ...sampled(
            place,
            security(place, resource.access.read, target.access.create),
            sampleCreateWithin(resource, relation, target),
          ),
          parameters: [...shapeParameters(place, target), ...sharedOf(place, "prefer", "idempotencyKey")],
          requestBody: inputBody(
            place,
            orMany(place, ref("schemas", nestedName(model, relation)), target, "input"),
            inputExample(target, "create", relation.foreign),
          ),
          responses: { "201": created, ...problems(...WRITE, "NOT_FOUND", "PRECONDITION_FAILED") },
        })
      : undefined,
  });
}
