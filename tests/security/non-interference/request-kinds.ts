import fc from "fast-check";
import { pickNumbers } from "./picks.ts";
import { aggregates } from "./requests/aggregates.ts";
import { computedFields } from "./requests/computed.ts";
import { conventions } from "./requests/conventions.ts";
import { graphqlKeyedWrites } from "./requests/graphql-keyed-writes.ts";
import { graphqlReads } from "./requests/graphql-reads.ts";
import { graphqlWrites } from "./requests/graphql-writes.ts";
import { queries } from "./requests/queries.ts";
import type { RequestKind } from "./requests/request-kind.ts";
import { restReads } from "./requests/rest-reads.ts";
import { restSpecialWrites } from "./requests/rest-special-writes.ts";
import { restWrites } from "./requests/rest-writes.ts";
import type { SchemaPlan } from "./schema-plan.ts";

/** All kinds of requests that are sent to the worlds. */
export const REQUEST_KINDS: readonly RequestKind[] = [
  ...restReads,
  ...restWrites,
  ...restSpecialWrites,
  ...graphqlReads,
  ...graphqlWrites,
  ...graphqlKeyedWrites,
  ...aggregates,
  ...queries,
  ...computedFields,
  ...conventions,
];

/**
 * A request that is drawn but not built. Its content is chosen when it is sent, from the data that its caller finds
 * then.
 */
export interface DrawnRequest {
  /** The name of its kind. */
  readonly kind: string;
  /** Whether another caller sends it instead of the observer. */
  readonly isOthers: boolean;
  readonly numbers: readonly number[];
}

export function drawnRequests(plan: SchemaPlan): fc.Arbitrary<readonly DrawnRequest[]> {
  const kinds = REQUEST_KINDS.filter(({ isIn }) => isIn === undefined || isIn(plan));
  const kind = fc.oneof(...kinds.map(({ name, weight = 1 }) => ({ weight, arbitrary: fc.constant(name) })));
  const isOthers = fc.integer({ min: 0, max: 5 }).map((number) => number === 5);
  return fc.array(fc.record({ kind, isOthers, numbers: pickNumbers }), { minLength: 6, maxLength: 14, size: "max" });
}

export function kindNamed(name: string): RequestKind {
  const kind = REQUEST_KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`Unknown kind of request: ${name}.`);
  return kind;
}
