import type {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLOutputType,
} from "graphql";
import type { FieldModel, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
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
  /** The nullable type of a value. `path` names types that have no name of their own. */
  readonly output: (type: WireType, path: string) => GraphQLOutputType;
  readonly input: (type: WireType, path: string) => GraphQLInputType;
  /** The nullable type of one value of a field in a filter. */
  readonly operand: (resource: ResourceModel, field: FieldModel, type: WireType) => GraphQLInputType;
  /** `Node`, if ids are global. */
  readonly node: GraphQLInterfaceType | undefined;
  readonly resource: (resource: ResourceModel) => GraphQLObjectType;
  readonly connection: (resource: ResourceModel) => GraphQLObjectType;
  /** Undefined if the resource cannot be filtered. */
  readonly filter: (resource: ResourceModel) => GraphQLInputObjectType | undefined;
  readonly operators: (resource: ResourceModel, field: FieldModel) => GraphQLInputObjectType;
  /** Undefined if the resource cannot be sorted. */
  readonly sort: (resource: ResourceModel) => GraphQLEnumType | undefined;
  /** Undefined if the resource has no writable field. */
  readonly write: (
    resource: ResourceModel,
    mode: "create" | "replace" | "update",
  ) => GraphQLInputObjectType | undefined;
  /** The input for rows that are created along a relation. Undefined if they have no writable fields. */
  readonly nested: (relation: RelationModel) => GraphQLInputObjectType | undefined;
}
