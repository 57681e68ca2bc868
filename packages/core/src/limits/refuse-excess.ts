import { BifocalError } from "../errors/bifocal-error.ts";
import type { Model } from "../model/model.ts";
import { findingCost, relationCost } from "./cost.ts";
import type { Limits } from "./limits.ts";
import type { Operation } from "../operation/operation.ts";
import { quote, type Path, refuse } from "../errors/refuse.ts";
import type { RelationSelection, Selection } from "../operation/selection.ts";

/** Throws BAD_REQUEST for an operation that costs more than the maximum. */
export function refuseCost(operation: Operation, model: Model, { query: { cost: most } }: Limits, cost: number): never {
  if (findingCost(operation, model) * 2 > cost) throw refusal(cost, most, ["filter"]);
  throw tooCostly(cost, most, "selection" in operation ? operation.selection : undefined);
}

/** Creates a BAD_REQUEST error with the path of the most expensive relation. */
export function tooCostly(cost: number, most: number, selection?: Selection): BifocalError {
  return refusal(cost, most, dearest(selection));
}

function refusal(cost: number, most: number, path: readonly string[]): BifocalError {
  const part = path.length === 0 ? "" : `, most of it for ${quote(path.join("."))}`;
  const format = (value: number): string => value.toLocaleString("en");
  const message = `The request costs ${format(cost)} points${part}. The maximum is ${format(most)}. Request less data.`;
  return new BifocalError("BAD_REQUEST", message, { issues: [{ path, message, code: "too_costly" }] });
}

function dearest(selection: Selection | undefined): readonly string[] {
  const path: string[] = [];
  for (let at = selection; at !== undefined; ) {
    const next: RelationSelection | undefined = at.relations.reduce<RelationSelection | undefined>(
      (most, one) => (most === undefined || relationCost(one) > relationCost(most) ? one : most),
      undefined,
    );
    if (next === undefined) break;
    path.push(next.relation);
    at = next.selection;
  }
  return path;
}

/** Throws BAD_REQUEST for a selection that nests relations too deeply, with the path of the first relation beyond the maximum. */
export function refuseDepth({ relations }: Selection, limits: Limits, path: Path = []): void {
  const { selectionDepth } = limits.query;
  for (const { relation, selection } of relations) {
    const at = [...path, relation];
    if (at.length > selectionDepth) {
      const message = `Relations can be nested at most ${selectionDepth} levels deep, and ${quote(at.join("."))} exceeds that.`;
      refuse(at, "too_deep", message);
    }
    refuseDepth(selection, limits, at);
  }
}
