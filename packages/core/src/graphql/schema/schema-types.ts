import type {
  GraphQLEnumType,
  GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLOutputType,
} from "graphql";
import type {
  ComparedModel,
  FieldModel,
  Model,
  OfferedOperations,
  RelationModel,
  ResourceModel,
} from "../../model/model.ts";
import type { WireMember, WireType } from "../../model/wire-type.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Ids } from "../ids.ts";
import type { Names } from "./names.ts";

/** Creates the types of the schema. Each method creates a type once and then returns the same one. */
export interface SchemaTypes {
  readonly model: Model;
  readonly limits: Limits;
  readonly ids: Ids;
  /** Whether a relation to many rows is an empty page for a caller who can read none of the target's rows. */
  readonly nonNullConnections: boolean;
  readonly names: Names;
  /** The operations that GraphQL offers and the store supports. */
  readonly offered: (resource: ResourceModel) => OfferedOperations;
  /** The nullable type of a value. `path` names types that have no name of their own. */
  readonly output: (type: WireType, path: string) => GraphQLOutputType;
  readonly input: (type: WireType, path: string) => GraphQLInputType;
  readonly inputMember: (member: WireMember, parent: string) => GraphQLInputFieldConfig;
  /** The nullable type of the values of a field in results. */
  readonly value: (resource: ResourceModel, field: FieldModel) => GraphQLOutputType;
  /** The nullable type of one value of a field in a filter. */
  readonly operand: (resource: ResourceModel, field: ComparedModel, type: WireType) => GraphQLInputType;
  /** `Node`, if ids are global. */
  readonly node: GraphQLInterfaceType | undefined;
  readonly resource: (resource: ResourceModel) => GraphQLObjectType;
  readonly connection: (resource: ResourceModel) => GraphQLObjectType;
  /** Undefined if the resource cannot be filtered. */
  readonly filter: (resource: ResourceModel) => GraphQLInputObjectType | undefined;
  readonly operators: (resource: ResourceModel, field: ComparedModel) => GraphQLInputObjectType;
  /** Undefined if the resource cannot be sorted. */
  readonly sort: (resource: ResourceModel) => GraphQLEnumType | undefined;
  readonly aggregate: (resource: ResourceModel) => AggregateTypes;
  /** Undefined if the resource has no writable field. */
  readonly write: (
    resource: ResourceModel,
    mode: "create" | "replace" | "update",
  ) => GraphQLInputObjectType | undefined;
  /** The input for rows that are created along a relation. Undefined if they have no writable fields. */
  readonly nested: (relation: RelationModel) => GraphQLInputObjectType | undefined;
  /** The changes of links in an update. */
  readonly links: (relation: RelationModel) => GraphQLInputObjectType;
  /** The changes of related rows in an update. Undefined if there are none that a caller could make. */
  readonly children: (relation: RelationModel) => GraphQLInputObjectType | undefined;
  /** The changes of one of these rows. Undefined if it has no writable fields. */
  readonly childUpdate: (relation: RelationModel) => GraphQLInputObjectType | undefined;
}

/** The types of a resource's aggregates. */
export interface AggregateTypes {
  readonly filter: GraphQLInputObjectType | undefined;
  readonly page: GraphQLObjectType;
  /** Undefined if the rows can't be grouped. */
  readonly groupBy: GraphQLEnumType | undefined;
  readonly having: GraphQLInputObjectType;
  readonly sort: GraphQLEnumType;
}
