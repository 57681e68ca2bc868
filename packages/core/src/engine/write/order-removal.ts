import type { FieldModel } from "../../model/model.ts";
import type { Frame } from "../frame.ts";
import { incomingReferences } from "./incoming.ts";
import type { Doomed, Removal } from "./plan-removal.ts";

/** A reference between two rows of one store that both go. */
interface Edge {
  readonly from: Doomed;
  readonly field: FieldModel;
}

/**
 * Puts rows before what they point at, so that a store with foreign keys takes one removal after the other; the root is
 * the last. Where references lead round in a circle, one that may be empty is emptied first.
 */
export function orderRemoval(
  frame: Frame,
  root: Doomed,
  cascaded: readonly Doomed[],
): Pick<Removal, "cascaded" | "loosened"> {
  const edges = edgesBetween(frame, [root, ...cascaded]);
  const left = new Set(cascaded);
  const loosened = new Map<Doomed, Record<string, null>>();
  const order: Doomed[] = [];
  const isLeft = (one: Doomed): boolean => one === root || left.has(one);
  const holding = (one: Doomed): readonly Edge[] =>
    (edges.get(one) ?? []).filter(({ from, field }) => isLeft(from) && loosened.get(from)?.[field.name] === undefined);
  const take = (one: Doomed): void => {
    for (const { from, field } of holding(one)) {
      if (field.type.nullable) loosened.set(from, { ...loosened.get(from), [field.name]: null });
    }
    left.delete(one);
    order.push(one);
  };
  while (left.size > 0) {
    const before = left.size;
    for (const one of left) if (holding(one).length === 0) take(one);
    if (left.size < before) continue;
    const [first] = left;
    const next = [...left].find((one) => holding(one).every(({ field }) => field.type.nullable)) ?? first;
    if (next !== undefined) take(next);
  }
  take(root);
  const own = order.slice(0, -1).map((one): Doomed => ({ ...one, loosened: loosened.get(one) }));
  return { cascaded: own, loosened: loosened.get(root) };
}

/** By the row that is pointed at. */
function edgesBetween(frame: Frame, doomed: readonly Doomed[]): ReadonlyMap<Doomed, readonly Edge[]> {
  const targets = new Map<string, Doomed>();
  for (const one of doomed) {
    for (const { relation } of incomingReferences(frame.engine.model, one.resource)) {
      targets.set(placeOf(one.resource.name, relation.foreign, one.row[relation.foreign]), one);
    }
  }
  const edges = new Map<Doomed, Edge[]>();
  for (const from of doomed) {
    const store = frame.storeOf(from.resource.name);
    // What was emptied on the way could not be taken back.
    if (!store.capabilities.transactions) continue;
    for (const { kind, target, local, foreign } of from.resource.relations.values()) {
      const field = from.resource.fields.get(local);
      if (kind !== "belongsTo" || field === undefined || (from.row[local] ?? null) === null) continue;
      const to = targets.get(placeOf(target, foreign, from.row[local]));
      if (to === undefined || frame.storeOf(target) !== store) continue;
      const known = edges.get(to);
      if (known === undefined) edges.set(to, [{ from, field }]);
      else known.push({ from, field });
    }
  }
  return edges;
}

function placeOf(resource: string, field: string, value: unknown): string {
  return `${resource} ${field} ${JSON.stringify(value)}`;
}
