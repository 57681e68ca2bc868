import type { Key } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import type { OperationContext } from "../../operation-context.ts";
import type { Deletion, PlannedDeletion } from "./deletion.ts";
import { clearedFields } from "./cleared-fields.ts";
import { incomingReferences } from "./incoming-references.ts";

/** A reference between two rows of one store that are both deleted. */
interface Edge {
  readonly from: PlannedDeletion;
  readonly to: PlannedDeletion;
  readonly local: readonly string[];
  /** The fields that can be set to null, so that the reference leads nowhere. */
  readonly nullable: readonly string[];
}

/**
 * Orders rows before the rows that they reference, so that a store with foreign keys accepts each deletion. The root
 * comes last. In a cycle of references, a nullable one is set to null first.
 */
export function orderDeletion(
  context: OperationContext,
  root: PlannedDeletion,
  cascaded: readonly PlannedDeletion[],
): Pick<Deletion, "cascaded" | "nullified"> {
  const edges = edgesBetween(context, [root, ...cascaded]);
  const left = new Set(cascaded);
  const nullified = new Map<PlannedDeletion, Record<string, null>>();
  const order: PlannedDeletion[] = [];
  // A row is visited again only when a reference to it is released, so that the work is proportional to the number of
  // references.
  const released = new Set<Edge>();
  const held = new Map([...edges.into].map(([to, into]) => [to, countHeld(into)]));
  const free = new Queue(left);
  const loose = new Queue(left);
  const any = new Queue(left, cascaded);
  const release = (edge: Edge): void => {
    const holds = held.get(edge.to);
    if (holds === undefined || released.has(edge)) return;
    released.add(edge);
    holds.all--;
    if (edge.nullable.length === 0) holds.fixed--;
    if (holds.all === 0) free.push(edge.to);
    else if (holds.fixed === 0) loose.push(edge.to);
  };
  const outOf = (one: PlannedDeletion): readonly Edge[] => edges.outOf.get(one) ?? [];
  const take = (one: PlannedDeletion): void => {
    left.delete(one);
    order.push(one);
    for (const edge of edges.into.get(one) ?? []) {
      const { from, nullable } = edge;
      if (released.has(edge) || nullable.length === 0) continue;
      nullified.set(from, { ...nullified.get(from), ...Object.fromEntries(nullable.map((name) => [name, null])) });
      for (const other of outOf(from)) if (other.local.some((name) => nullable.includes(name))) release(other);
    }
    for (const edge of outOf(one)) release(edge);
  };
  for (const one of cascaded) {
    const { all, fixed } = held.get(one) ?? { all: 0, fixed: 0 };
    if (all === 0) free.push(one);
    else if (fixed === 0) loose.push(one);
  }
  for (let one; (one = free.next() ?? loose.next() ?? any.next()) !== undefined; ) take(one);
  take(root);
  const own = order.slice(0, -1).map((one): PlannedDeletion => ({ ...one, nullified: nullified.get(one) }));
  return { cascaded: own, nullified: nullified.get(root) };
}

/** Counts the references to a row, and those that can't be null. */
function countHeld(into: readonly Edge[]): { all: number; fixed: number } {
  return { all: into.length, fixed: into.filter(({ nullable }) => nullable.length === 0).length };
}

/** A queue of rows that skips those already taken. */
class Queue {
  readonly #left: ReadonlySet<PlannedDeletion>;
  readonly #rows: PlannedDeletion[];
  #at = 0;

  constructor(left: ReadonlySet<PlannedDeletion>, rows: readonly PlannedDeletion[] = []) {
    this.#left = left;
    this.#rows = [...rows];
  }

  push(one: PlannedDeletion): void {
    this.#rows.push(one);
  }

  next(): PlannedDeletion | undefined {
    while (this.#at < this.#rows.length) {
      const one = this.#rows[this.#at++] as PlannedDeletion;
      if (this.#left.has(one)) return one;
    }
    return undefined;
  }
}

interface Edges {
  readonly into: ReadonlyMap<PlannedDeletion, readonly Edge[]>;
  readonly outOf: ReadonlyMap<PlannedDeletion, readonly Edge[]>;
}

function edgesBetween(context: OperationContext, planned: readonly PlannedDeletion[]): Edges {
  const targets = new Map<string, PlannedDeletion>();
  for (const one of planned) {
    for (const { relation } of incomingReferences(context.engine.model, one.resource)) {
      const value = referenceOf(relation.foreign, one.row);
      if (value !== null) targets.set(placeOf(one.resource.name, relation.foreign, value), one);
    }
  }
  const into = new Map<PlannedDeletion, Edge[]>();
  const outOf = new Map<PlannedDeletion, Edge[]>();
  for (const from of planned) {
    const store = context.storeOf(from.resource.name);
    // Without a transaction, setting references to null could not be undone.
    if (!store.capabilities.transactions) continue;
    for (const relation of from.resource.relations.values()) {
      const { kind, target, local, foreign } = relation;
      const value = kind === "belongsTo" ? referenceOf(local, from.row) : null;
      const to = value === null ? undefined : targets.get(placeOf(target, foreign, value));
      if (to === undefined || context.storeOf(target) !== store) continue;
      const edge: Edge = { from, to, local, nullable: clearedFields(from.resource, relation) };
      addTo(into, to, edge);
      addTo(outOf, from, edge);
    }
  }
  return { into, outOf };
}

function addTo(edges: Map<PlannedDeletion, Edge[]>, one: PlannedDeletion, edge: Edge): void {
  const known = edges.get(one);
  if (known === undefined) edges.set(one, [edge]);
  else known.push(edge);
}

function placeOf(resource: string, fields: readonly string[], value: Key): string {
  return `${resource} ${fields.join()} ${JSON.stringify(value)}`;
}
