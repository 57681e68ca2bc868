import type { ActionModel, QueryModel, RelationModel, ResourceModel } from "../../model/model.ts";
import type { GraphqlNames, GraphqlSignature } from "./graphql-names.ts";

/** A resource as each style presents it. It contains nothing that OpenAPI and the GraphQL schema don't contain. */
export interface SchemaResource {
  readonly resource: ResourceModel;
  /** Whether REST returns its rows, on paths of their own or within other rows. */
  readonly isInRest: boolean;
  readonly graphql: GraphqlNames;
  /** The operations on its rows, the most common ones first. */
  readonly operations: readonly SchemaOperation[];
  readonly actions: readonly SchemaCall<ActionModel>[];
  readonly queries: readonly SchemaCall<QueryModel>[];
  readonly relations: readonly SchemaRelation[];
}

/** The same operation in each style. A style that doesn't offer it has no requests. */
export interface SchemaOperation {
  readonly name: string;
  readonly rest: readonly RestSignature[];
  readonly graphql: readonly GraphqlSignature[];
}

export interface SchemaCall<Of> extends SchemaOperation {
  readonly of: Of;
}

export interface SchemaRelation extends SchemaOperation {
  readonly relation: RelationModel;
}

/** A request of REST. */
export interface RestSignature {
  readonly method: string;
  /** Such as `/books/{id}`. */
  readonly path: string;
  /** Whether a browser can open the path without further parameters. */
  readonly isPage?: boolean;
  /** The names of its parameters. */
  readonly parameters?: readonly string[];
  /** The value of `Accept`, if it isn't JSON. */
  readonly accept?: string;
  /** The content of the body: the name of a schema in OpenAPI, or a type in words. */
  readonly body?: string;
  readonly result?: string;
}
