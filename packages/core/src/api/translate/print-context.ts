import type { GraphQLSchema } from "graphql";
import type { Ids } from "../../graphql/ids.ts";
import type { Model, ResourceModel } from "../../model/model.ts";
import type { ClientDescription, ClientResource } from "../client-description-types.ts";
import { notExpressible } from "./not-expressible-error.ts";

/** The parts of an API that printers need. */
export interface PrintContext {
  readonly model: Model;
  readonly description: ClientDescription;
  readonly schema: GraphQLSchema;
  /** The ids of GraphQL. */
  readonly ids: Ids;
  /** Whether reads by REST are a `QUERY`, even if they fit into a URL. */
  readonly isQuery?: boolean;
}

/** A resource, and its names in each style. */
export interface PrintedResource {
  readonly resource: ResourceModel;
  readonly described: ClientResource;
}

export function printedResource({ model, description }: PrintContext, name: string): PrintedResource {
  const resource = model.resources.get(name);
  const described = description.resources[name];
  if (resource === undefined || described === undefined) return notExpressible(`There is no resource '${name}'.`);
  return { resource, described };
}
