import type { GraphQLResolveInfo } from "graphql";
import type { ListOperation } from "../../operation/operation.ts";
import type { NodePage } from "../node.ts";
import type { Page } from "../../operation/page.ts";
import type { Document } from "../lower/document.ts";
import { lowerConnection } from "../lower/lower-selection.ts";
import type { FieldTarget } from "../lower/field-target.ts";
import type { Batches } from "./batches.ts";
import type { LateSource } from "./late-page.ts";
import { restOf, selectRest } from "./rest.ts";
import { withGraphQLErrors } from "../graphql-error.ts";

export interface RootList {
  readonly target: FieldTarget;
  /** The operation that read the first rows. */
  readonly operation: ListOperation;
  readonly page: NodePage;
  /** The page that the client requested. */
  readonly whole: Page;
  readonly info: GraphQLResolveInfo;
}

interface Reads {
  readonly document: Document;
  readonly batches: Batches;
}

/** Reads the rest of a root list: the rows after the cursor of its last row. */
export function rootSource(reads: Reads, list: RootList): LateSource {
  const { target, operation, page, whole, info } = list;
  const { count: _, ...uncounted } = operation;
  return {
    size: whole.fromEnd === true ? 0 : whole.size,
    readRest: () =>
      withGraphQLErrors(() => {
        const { selection } = lowerConnection(target, info.fieldNodes, selectRest(reads.document));
        return reads.batches.list({ ...uncounted, page: restOf(whole, page), selection });
      }),
    count: (exactness) =>
      withGraphQLErrors(async () => {
        const selection = { fields: target.resource.key, relations: [] };
        return reads.batches.list({ ...uncounted, page: { size: 0 }, count: exactness, selection });
      }),
  };
}
