import type { GraphQLResolveInfo } from "graphql";
import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import { relationSelection } from "../../lowering/lower-selection.ts";
import type { RelationSelection } from "../../operation/selection.ts";
import type { Document } from "../lower/document.ts";
import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import { lowerConnection } from "../lower/lower-selection.ts";
import type { FieldTarget } from "../lower/field-target.ts";
import { withGraphQLErrors } from "../graphql-error.ts";
import { notFound } from "../../lowering/not-found.ts";
import type { Node, NodePage } from "../node.ts";
import type { Batches } from "./batches.ts";
import type { LateSource } from "./late-page.ts";
import { placeName } from "./field-places.ts";
import { restOf, selectRest, withoutFirst } from "./rest.ts";

export interface RelationList {
  /** The target of the relation. */
  readonly target: FieldTarget;
  readonly relation: RelationModel;
  /** The client's arguments. */
  readonly list: CompleteListParts;
  readonly page: NodePage;
  readonly parent: Node;
  readonly info: GraphQLResolveInfo;
}

interface Reads {
  readonly document: Document;
  readonly batches: Batches;
  readonly resourceOf: (typeName: string) => ResourceModel;
}

type Select = (selected: RelationSelection, isAlone: boolean) => RelationSelection;

/**
 * Reads the rest of a list along a relation, for all parents in one operation. A cursor belongs to one list, so only
 * the page of a single parent can continue after its last row. Pages of several parents are read again, without the
 * rows that were already sent.
 */
export function relationSource(reads: Reads, given: RelationList): LateSource {
  const { target, relation, list, page, parent, info } = given;
  const resource = reads.resourceOf(info.parentType.name);
  const key = keyOf(resource, parent as Row);
  const place = placeName(info.path, "");
  const read = (what: string, change: Select): Promise<NodePage> =>
    withGraphQLErrors(async () => {
      const document = selectRest(reads.document);
      const { selection } = lowerConnection(target, info.fieldNodes, document);
      const whole = relationSelection({ model: target.model, relation, ...list, selection });
      const select = (isAlone: boolean) => ({ fields: [], relations: [change(whole, isAlone)] });
      const row = await reads.batches.read({ name: `${place} ${what}`, resource, key, select });
      const found = row?.[whole.as];
      if (found === undefined) throw notFound(resource);
      return found as NodePage;
    });
  return {
    size: list.page.fromEnd === true ? 0 : list.page.size,
    readRest: async () => {
      const again = await read("rest", (whole, isAlone) =>
        isAlone ? { ...whole, page: restOf(list.page, page) } : whole,
      );
      return withoutFirst(target.resource, again, page, list.page.size);
    },
    count: async (count) => {
      const selection = { fields: target.resource.key, relations: [] };
      return read(`total ${count}`, (whole) => ({ ...whole, page: { size: 0 }, count, selection }));
    },
  };
}
