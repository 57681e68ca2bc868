import type { ActionModel, Model, QueryModel, ResourceModel } from "../../model/model.ts";
import { offeredActions, offeredQueries, offeredRelations } from "../../model/offered.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { answersRow } from "../write/handle-action.ts";
import { schemaName } from "../openapi/schema-names.ts";
import type { OperationsOf } from "../routes/endpoint.ts";
import type { ResourceEndpoints } from "../routes/endpoints.ts";
import type { GraphqlDescription, GraphqlNames, GraphqlSignature } from "./graphql-names.ts";
import { restRelationSignatures, restSignatures } from "./rest-signatures.ts";
import type { RestSignature, SchemaCall, SchemaRelation, SchemaResource } from "./schema-resource.ts";
import { typeWords } from "./type-words.ts";

interface SchemaParts {
  readonly model: Model;
  /** By path segment. */
  readonly byPath: ReadonlyMap<string, ResourceEndpoints>;
  readonly operationsOf: OperationsOf;
  readonly graphql: GraphqlDescription;
}

const OPERATIONS = [
  "list",
  "get",
  "aggregate",
  "create",
  "createMany",
  "update",
  "updateMany",
  "replace",
  "delete",
  "deleteMany",
  "watch",
] as const;

const NO_NAMES: GraphqlNames = {
  type: undefined,
  types: [],
  fields: new Map(),
  operations: new Map(),
  actions: new Map(),
  queries: new Map(),
  links: new Map(),
};

/** Pairs the two styles of each resource. Resources that neither style shows are left out, as are histories. */
export function describeSchema(parts: SchemaParts): readonly SchemaResource[] {
  const inRest = resourcesInRest(parts);
  return [...parts.model.resources.values()]
    .filter(({ historyOf }) => historyOf === undefined)
    .map((resource) => describeResource(parts, resource, inRest.has(resource)))
    .filter(({ isInRest, graphql }) => isInRest || graphql.type !== undefined);
}

/** Returns the resources that have paths, and those whose rows can be embedded in theirs. */
function resourcesInRest({ model, byPath }: SchemaParts): ReadonlySet<ResourceModel> {
  const found = new Set([...model.resources.values()].filter(({ path }) => byPath.has(path)));
  for (const resource of found) {
    for (const { target } of offeredRelations(model, resource)) found.add(model.resources.get(target) as ResourceModel);
  }
  return found;
}

function describeResource(
  { model, byPath, operationsOf, graphql }: SchemaParts,
  resource: ResourceModel,
  isInRest: boolean,
): SchemaResource {
  const names = graphql.resources.get(resource.name) ?? NO_NAMES;
  const endpoints = byPath.get(resource.path);
  const rest = restSignatures({ model, resource, endpoints, offered: operationsOf(resource) });
  return {
    resource,
    isInRest,
    graphql: names,
    operations: OPERATIONS.map((name) => ({
      name,
      rest: rest.get(name) ?? [],
      graphql: names.operations.get(name) ?? [],
    })).filter(isOffered),
    actions: offeredActions(resource).map((of) =>
      describeCall(of, endpoints, actionForm(model, resource, of), names.actions),
    ),
    queries: [...resource.queries.values()]
      .map((of) => {
        const isServed = offeredQueries(resource, "rest").includes(of);
        return describeCall(of, isServed ? endpoints : undefined, queryForm(model, resource, of), names.queries);
      })
      .filter(isOffered),
    relations: describeRelations(model, resource, endpoints, names),
  };
}

function isOffered({ rest, graphql }: Pick<SchemaRelation, "rest" | "graphql">): boolean {
  return rest.length > 0 || graphql.length > 0;
}

type CallForm = Omit<RestSignature, "path">;

function describeCall<Of extends ActionModel | QueryModel>(
  of: Of,
  endpoints: ResourceEndpoints | undefined,
  form: CallForm,
  signatures: ReadonlyMap<string, GraphqlSignature>,
): SchemaCall<Of> {
  const { name, on } = of;
  const endpoint = (on === "item" ? endpoints?.beneath : endpoints?.beside)?.get(kebabCase(name));
  const signature = signatures.get(name);
  return {
    name,
    of,
    rest: endpoint === undefined ? [] : [{ ...form, path: endpoint.path }],
    graphql: signature === undefined ? [] : [signature],
  };
}

function actionForm(model: Model, resource: ResourceModel, action: ActionModel): CallForm {
  const { input, output } = action;
  const row = answersRow(action) ? schemaName(model, resource, "row") : undefined;
  const result = output === undefined ? row : typeWords(output.type);
  return {
    method: "POST",
    ...(input === undefined ? {} : { body: typeWords(input.type) }),
    ...(result === undefined ? {} : { result }),
  };
}

function queryForm(model: Model, resource: ResourceModel, { on, input, output }: QueryModel): CallForm {
  const members = input?.type.members ?? [];
  const parameters = members.map(({ name }) => name);
  const isPage = on === "collection" && members.every(({ optional }) => optional);
  const result = output === undefined ? `${schemaName(model, resource, "row")}[]` : typeWords(output.type);
  return { method: "GET", isPage, ...(parameters.length === 0 ? {} : { parameters }), result };
}

function describeRelations(
  model: Model,
  resource: ResourceModel,
  endpoints: ResourceEndpoints | undefined,
  { fields, links }: GraphqlNames,
): readonly SchemaRelation[] {
  const readable = new Set(offeredRelations(model, resource));
  return [...resource.relations.values()]
    .map((relation) => {
      const { name } = relation;
      const field = readable.has(relation) ? fields.get(name) : undefined;
      const groups = readable.has(relation) && relation.many ? fields.get(`${name}Aggregate`) : undefined;
      const { link, unlink } = links.get(name) ?? {};
      return {
        name,
        relation,
        rest: restRelationSignatures({ model, endpoints }, relation),
        graphql: [field, groups, link, unlink].filter((signature) => signature !== undefined),
      };
    })
    .filter(isOffered);
}
