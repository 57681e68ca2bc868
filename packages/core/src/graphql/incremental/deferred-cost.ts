import {
  type FieldNode,
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  isObjectType,
  type OperationDefinitionNode,
} from "graphql";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import type { Document } from "../lower/document.ts";
import { lowerList } from "../lower/lower-list.ts";
import type { DeferredApi } from "./deferred-reads.ts";
import { type Detail, type Fields, groupName, groupOf, FieldPlaces } from "./field-places.ts";

/** Rows of one object with everything beneath it: their number, and how many of them are read a second time. */
interface Rows {
  readonly all: number;
  readonly again: number;
}

const NONE: Rows = { all: 0, again: 0 };

/**
 * Returns the additional cost of incremental delivery, in rows. Each deferred fragment reads its rows again, and so
 * does the rest of a streamed list along a relation. A field with invalid arguments reads nothing and costs nothing.
 */
export function deferredCost(api: DeferredApi, document: Document, operation: OperationDefinitionNode): number {
  const places = new FieldPlaces(document, operation);
  const byType = new Map([...api.model.resources.values()].map((one) => [one.typeName, one]));
  const root = document.schema.getRootType(operation.operation);
  return root === null || root === undefined ? 0 : beneathRoot(root);

  function beneathRoot(type: GraphQLObjectType): number {
    let again = 0;
    for (const details of places.root(type.name).values()) again += rootField(type, details).again;
    return again;
  }

  function rootField(type: GraphQLObjectType, details: readonly Detail[]): Rows {
    const field = type.getFields()[details[0]?.node.name.value ?? ""];
    const named = field && getNamedType(field.type);
    if (named === undefined || !isObjectType(named)) return NONE;
    const resource = byType.get(named.name);
    if (resource !== undefined) return row(resource, places.beneath(details, named.name), groupOf(details));
    const listed = byType.get(named.name.replace(/Connection$/, ""));
    return listed === undefined ? NONE : page(type, listed, details);
  }

  function row(resource: ResourceModel, fields: Fields, group: ReturnType<typeof groupOf>): Rows {
    const later = new Set([...fields.values()].map((details) => groupName(groupOf(details))));
    later.delete(groupName(group));
    let all = 1;
    let again = later.size;
    for (const details of fields.values()) {
      const relation = resource.relations.get(details[0]?.node.name.value ?? "");
      if (relation === undefined) continue;
      const rows = related(resource, relation, details);
      all += rows.all;
      again += rows.again;
    }
    return { all, again };
  }

  function related(resource: ResourceModel, relation: RelationModel, details: readonly Detail[]): Rows {
    const target = api.model.resources.get(relation.target);
    const type = document.schema.getType(resource.typeName);
    if (target === undefined || !isObjectType(type)) return NONE;
    if (!relation.many) {
      const { all, again } = row(target, places.beneath(details, target.typeName), groupOf(details));
      return { all: all - 1, again };
    }
    const { all, again } = page(type, target, details);
    // The parent is loaded two more times, for the remaining rows and for a deferred total, and so are the rows that
    // were sent before.
    const streamed = streamedRows(places.beneath(details, `${target.typeName}Connection`));
    return { all, again: again + 2 + (streamed > 0 ? all : 0) };
  }

  function streamedRows(fields: Fields): number {
    let most = 0;
    for (const details of fields.values()) {
      for (const { node } of details) most = Math.max(most, document.parts?.initialCount(node) ?? 0);
    }
    return most;
  }

  function sizeOf(resource: ResourceModel, field: GraphQLField<unknown, unknown>, node: FieldNode): number | undefined {
    try {
      return lowerList({ ...api, resource }, document.argumentsOf(field, node), []).page.size;
    } catch (thrown) {
      if (isBifocalError(thrown) || thrown instanceof GraphQLError) return undefined;
      throw thrown;
    }
  }

  function page(parent: GraphQLObjectType, resource: ResourceModel, details: readonly Detail[]): Rows {
    const node = details[0]?.node;
    const field = node && parent.getFields()[node.name.value];
    if (node === undefined || field === undefined) return NONE;
    const size = sizeOf(resource, field, node);
    if (size === undefined) return NONE;
    const { typeName } = resource;
    const rows: Detail[] = [];
    for (const inner of places.beneath(details, `${typeName}Connection`).values()) {
      const name = inner[0]?.node.name.value;
      if (name === "nodes") rows.push(...inner);
      else if (name === "edges") {
        for (const one of places.beneath(inner, `${typeName}Edge`).values()) {
          if (one[0]?.node.name.value === "node") rows.push(...one);
        }
      }
    }
    const { all, again } = row(resource, places.beneath(rows, typeName), groupOf(rows));
    return { all: size * all, again: size * again };
  }
}
