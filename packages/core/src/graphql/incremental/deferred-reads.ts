import { type FieldNode, type GraphQLResolveInfo, Kind, type OperationDefinitionNode } from "graphql";
import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { ListOperation } from "../../operation/operation.ts";
import type { Document } from "../lower/document.ts";
import { lowerList } from "../lower/lower-list.ts";
import { lowerSelection } from "../lower/lower-selection.ts";
import type { FieldTarget } from "../lower/field-target.ts";
import { withGraphQLErrors } from "../graphql-error.ts";
import { notFound } from "../../lowering/not-found.ts";
import type { Node, NodePage } from "../node.ts";
import type { RowReader } from "../read-rows.ts";
import type { Arguments } from "../root-field.ts";
import { Batches } from "./batches.ts";
import { LatePage } from "./late-page.ts";
import { FieldPlaces, groupName, groupOf, nodesIn, placeName } from "./field-places.ts";
import { relationSource } from "./relation-source.ts";
import { rootSource } from "./root-source.ts";

export type DeferredApi = Omit<FieldTarget, "resource">;

/**
 * The reads of one execution after its first operations: the fields of deferred fragments, for rows that were read
 * before, and the rest of streamed pages. Rows of one place that are requested in one turn are read in one operation.
 */
export class DeferredReads {
  readonly api: DeferredApi;
  readonly document: Document;
  readonly batches: Batches;
  readonly #places: FieldPlaces;
  readonly #resources: ReadonlyMap<string, ResourceModel>;

  constructor(api: DeferredApi, reader: RowReader, document: Document, operation: OperationDefinitionNode) {
    this.api = api;
    this.document = document;
    this.batches = new Batches(reader);
    this.#places = new FieldPlaces(document, operation);
    this.#resources = new Map([...api.model.resources.values()].map((one) => [one.typeName, one]));
  }

  /** Returns the nodes that are executed with a field, without those that deferred fragments add. */
  nodesOf(info: GraphQLResolveInfo): readonly FieldNode[] {
    const details = this.#places.at(info.path);
    const nodes = nodesIn(groupOf(details), details);
    return nodes.length === 0 ? info.fieldNodes : nodes;
  }

  /** Reads the row again, with all fields that are delivered together with this one. */
  read(node: Node, info: GraphQLResolveInfo): Promise<Node> {
    const resource = this.resourceOf(info.parentType.name);
    const fields = this.#places.around(info.path);
    const group = groupOf(fields.get(String(info.path.key)) ?? []);
    const select = () => {
      const nodes: FieldNode[] = [];
      for (const details of fields.values()) {
        if (groupName(groupOf(details)) === groupName(group)) nodes.push(...nodesIn(group, details));
      }
      return lowerSelection({ ...this.api, resource }, [fieldOf(nodes)], this.document);
    };
    const name = `${placeName(info.path.prev, info.parentType.name)} ${groupName(group)}`;
    return withGraphQLErrors(async () => {
      const found = await this.batches.read({ name, resource, key: keyOf(resource, node as Row), select });
      if (found === undefined) throw notFound(resource);
      return found;
    });
  }

  /** Returns a page of a root list. The operation may have read only its first rows. */
  rootPage(page: NodePage, operation: ListOperation, args: Arguments, info: GraphQLResolveInfo): NodePage {
    const target = { ...this.api, resource: this.#byName(operation.resource) };
    const whole = lowerList(target, args, []).page;
    return new LatePage(page, rootSource(this, { target, operation, page, whole, info }));
  }

  /** Returns a page of a list along a relation. The operation may have read only its first rows. */
  relationPage(
    page: NodePage,
    parent: Node,
    relation: RelationModel,
    args: Arguments,
    info: GraphQLResolveInfo,
  ): NodePage {
    const target = { ...this.api, resource: this.#byName(relation.target) };
    const list = lowerList(target, args, [relation.name]);
    return new LatePage(page, relationSource(this, { target, relation, list, page, parent, info }));
  }

  resourceOf(typeName: string): ResourceModel {
    const resource = this.#resources.get(typeName);
    if (resource === undefined) throw new Error(`Internal error: '${typeName}' is not the type of a resource.`);
    return resource;
  }

  /** Cancels reads that have not started. */
  stop(): void {
    this.batches.stop();
  }

  #byName(name: string): ResourceModel {
    const resource = this.api.model.resources.get(name);
    if (resource === undefined) throw new Error(`Unknown resource '${name}'.`);
    return resource;
  }
}

/** Creates a field with these selections. */
function fieldOf(selections: readonly FieldNode[]): FieldNode {
  return {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: "deferred" },
    selectionSet: { kind: Kind.SELECTION_SET, selections: [...selections] },
  };
}
