import {
  type FieldNode,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
} from "graphql";
import type { FieldModel, Key, RelationModel, ResourceModel, Row, RuleModel } from "../../model/model.ts";
import { allowsAllOrNone } from "../../definition/rule-parts.ts";
import { EMPTY_PAGE, type Node, type NodePage } from "../node.ts";
import { keyOf } from "../../operation/key.ts";
import { hasComputedId, idOwner } from "../ids.ts";
import { mapMaybePromise } from "../../util/maybe-promise.ts";
import { findContext } from "../context.ts";
import { readFrom, computedFrom, readable, readField, registerReader, withPlaces } from "../reader.ts";
import type { Arguments } from "../root-field.ts";
import { aggregateArguments } from "./aggregate-types.ts";
import { aggregatedRelations } from "./aggregated-relations.ts";
import { listArguments } from "./list-types.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { offeredRelations } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { semanticNonNull } from "./semantic-non-null.ts";
import { nonNull } from "./value-types.ts";
import { groupsAs, relationAs } from "../../lowering/lower-selection.ts";
import { lowerAggregateField } from "../lower/lower-aggregate.ts";
import { lowerList } from "../lower/lower-list.ts";
import type { FieldTarget } from "../lower/field-target.ts";

type Resolve = NonNullable<GraphQLFieldConfig<Node, unknown>["resolve"]>;

/** Creates the type of one row. Its resolvers only read values that the engine has put into the node. */
export function resourceType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType {
  return new GraphQLObjectType<Node>({
    name: resource.typeName,
    description: resource.description ?? null,
    interfaces: types.node !== undefined && resource.operations.graphql.get ? [types.node] : [],
    fields: () => {
      const fields: Record<string, GraphQLFieldConfig<Node, unknown>> = {};
      if (hasComputedId(resource)) fields["id"] = idConfig(types, resource);
      for (const field of resource.visibleFields) fields[field.name] = fieldConfig(types, resource, field);
      for (const relation of offeredRelations(types.model, resource))
        fields[relation.name] = relationConfig(types, relation);
      for (const relation of aggregatedRelations(types.model, resource))
        fields[`${relation.name}Aggregate`] = groupsConfig(types, relation);
      return fields;
    },
  });
}

/** The `id` that clients pass to arguments called `id` and that client caches use to identify rows. */
function idConfig({ ids }: SchemaTypes, resource: ResourceModel): GraphQLFieldConfig<Node, unknown> {
  return {
    type: new GraphQLNonNull(GraphQLID),
    description: ids.isGlobal ? null : describeId(resource),
    resolve: readFrom((node) => ids.format(resource, keyOf(resource, node as Row))),
  };
}

function describeId({ key }: ResourceModel): string {
  if (key.length === 1) return `The key '${key.join()}', percent-encoded.`;
  return `The key: ${key.join(", ")}, percent-encoded and separated by commas.`;
}

function fieldConfig(
  types: SchemaTypes,
  resource: ResourceModel,
  field: FieldModel,
): GraphQLFieldConfig<Node, unknown> {
  const type = types.value(resource, field);
  const mayBeDenied = field.read.kind !== "allow";
  const isMarked = mayBeDenied && !field.type.nullable;
  return {
    type: nonNull(type, field.type.nullable || mayBeDenied),
    description: field.description ?? null,
    deprecationReason: field.deprecated ?? null,
    resolve: readerFor(types, resource, field, isMarked),
    ...(isMarked ? semanticNonNull : {}),
  };
}

function readerFor(
  { ids, model }: SchemaTypes,
  resource: ResourceModel,
  field: FieldModel,
  isRequired: boolean,
): Resolve {
  const { name } = field;
  const owner = ids.isGlobal ? idOwner(model, resource, field) : undefined;
  if (owner === undefined) return readField(name, isRequired);
  return computedFrom(name, (node) => {
    const key = readable(node, { place: name, name, isRequired }) as Key | null;
    return key === null ? null : ids.format(owner, key);
  });
}

function relationConfig(types: SchemaTypes, relation: RelationModel): GraphQLFieldConfig<Node, unknown> {
  const { model, limits, ids } = types;
  const { name, many } = relation;
  const target = resourceOf(model, relation.target);
  const nullability = nullabilityOf(types, relation, target);
  const source = { model, relation, target, limits, ids };
  const rememberPlace = relationPlace(source);
  const isRequired = nullability === "semantic";
  const isNeverDenied = many && nullability === "nonNull";
  const resolve = registerReader<Resolve>(
    (node, args, contextValue, info) => {
      const place = rememberPlace(args as Arguments, info);
      return mapMaybePromise(withPlaces(node, [place], contextValue, info), (row) => {
        if (isNeverDenied && row[place] === undefined) return EMPTY_PAGE;
        const value = readable(row, { place, name, isRequired }, contextValue);
        const late = many && value !== null ? findContext(contextValue)?.late : undefined;
        return late === undefined
          ? value
          : late.relationPage(value as NodePage, node, relation, args as Arguments, info);
      });
    },
    { kind: "relation", name, many, placeOf: (args) => placeOf(source, args) },
  );
  return {
    type: nonNull(many ? types.connection(target) : types.resource(target), nullability !== "nonNull"),
    ...(many ? { args: listArguments(types, target) } : {}),
    resolve,
    ...(isRequired ? semanticNonNull : {}),
  };
}

/** Groups of related rows can be null for the same reasons as the rows. */
function groupsConfig(types: SchemaTypes, relation: RelationModel): GraphQLFieldConfig<Node, unknown> {
  const { model, limits, ids } = types;
  const target = resourceOf(model, relation.target);
  const name = `${relation.name}Aggregate`;
  const isDenied = relation.read.kind !== "allow" || target.access.read.kind !== "allow";
  const field = { model, limits, ids, resource: target };
  const placeOf = (args: Arguments): string => {
    const { condition, aggregation } = lowerAggregateField(field, args, [], [name]);
    return groupsAs(relation, aggregation, condition);
  };
  const resolve = registerReader<Resolve>(
    (node, args, contextValue, info) => {
      const place = placeOf(args as Arguments);
      return mapMaybePromise(withPlaces(node, [place], contextValue, info), (row) =>
        readable(row, { place, name, isRequired: isDenied }, contextValue),
      );
    },
    { kind: "groups", name, placeOf },
  );
  return {
    type: nonNull(types.aggregate(target).page, isDenied),
    args: aggregateArguments(types, target),
    resolve,
    ...(isDenied ? semanticNonNull : {}),
  };
}

/**
 * Returns whether the result of a relation can be null: never, only with an error, or also without one. The engine
 * denies a relation if the caller can read none of the target's rows, or if the relation's own rule hides it. A single
 * row that the target's rule hides is null without an error.
 */
function nullabilityOf(
  { nonNullConnections }: SchemaTypes,
  relation: RelationModel,
  target: ResourceModel,
): "nonNull" | "semantic" | "nullable" {
  const { read } = target.access;
  if (!relation.many && (relation.nullable || !isAllOrNone(read))) return "nullable";
  const isDenied = relation.read.kind !== "allow" || (read.kind !== "allow" && !(relation.many && nonNullConnections));
  return isDenied ? "semantic" : "nonNull";
}

function isAllOrNone({ kind, rule }: RuleModel): boolean {
  return kind !== "ask" || allowsAllOrNone(rule);
}

interface PlacedRelation extends Omit<FieldTarget, "resource"> {
  readonly relation: RelationModel;
  readonly target: ResourceModel;
}

/** Returns the key of a relation's result in its node (see `RelationSelection.as`). */
function placeOf({ relation, target, ...others }: PlacedRelation, args: Arguments): string {
  if (!relation.many) return relation.name;
  return relationAs(relation, target, lowerList({ ...others, resource: target }, args, [relation.name]));
}

/**
 * Creates `placeOf` for a resolver. It runs once per row, so the result is cached by field of the document and
 * variables.
 */
function relationPlace(source: PlacedRelation): (args: Arguments, info: GraphQLResolveInfo) => string {
  const { relation } = source;
  if (!relation.many) return () => relation.name;
  const executions = new WeakMap<object, Map<FieldNode, string>>();
  return (args, info) => {
    const node = info.fieldNodes[0];
    if (node === undefined || (node.arguments ?? []).length === 0) return relation.name;
    let places = executions.get(info.variableValues);
    if (places === undefined) {
      places = new Map();
      executions.set(info.variableValues, places);
    }
    const known = places.get(node);
    if (known !== undefined) return known;
    const place = placeOf(source, args);
    places.set(node, place);
    return place;
  };
}
