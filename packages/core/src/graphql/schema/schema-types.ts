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

/** What each kind of type needs of the others. Every method makes its type once. */
export interface SchemaTypes {
  readonly model: Model;
  readonly limits: Limits;
  readonly ids: Ids;
  readonly names: Names;
  /** The nullable form of a value's type; `path` names it where it has no name of its own. */
  readonly output: (type: WireType, path: string) => GraphQLOutputType;
  readonly input: (type: WireType, path: string) => GraphQLInputType;
  /** The nullable type of one value of a field, where a caller writes it into a filter. */
  readonly operand: (resource: ResourceModel, field: FieldModel, type: WireType) => GraphQLInputType;
  /** `Node`, where ids are global. */
  readonly node: GraphQLInterfaceType | undefined;
  readonly resource: (resource: ResourceModel) => GraphQLObjectType;
  readonly connection: (resource: ResourceModel) => GraphQLObjectType;
  /** Undefined where nothing of the resource can be filtered by. */
  readonly filter: (resource: ResourceModel) => GraphQLInputObjectType | undefined;
  readonly operators: (resource: ResourceModel, field: FieldModel) => GraphQLInputObjectType;
  /** Undefined where nothing of the resource can be sorted by. */
  readonly sort: (resource: ResourceModel) => GraphQLEnumType | undefined;
  /** Undefined where the resource has no writable field. */
  readonly write: (
    resource: ResourceModel,
    mode: "create" | "replace" | "update",
  ) => GraphQLInputObjectType | undefined;
  /** What is created along a relation. Undefined where nothing of it is writable. */
  readonly nested: (relation: RelationModel) => GraphQLInputObjectType | undefined;
}

/** The target of a relation; the model holds every resource that it names. */
export function resourceOf(model: Model, name: string): ResourceModel {
  const found = model.resources.get(name);
  if (found === undefined) throw new Error(`Unknown resource '${name}'.`);
  return found;
}
