import { isSystem } from "../definition/principal.ts";
import { lowerCount } from "../lowering/lower-count.ts";
import { lowerDeleted } from "../lowering/lower-deleted.ts";
import { relationSelection } from "../lowering/lower-selection.ts";
import type { Limits } from "../limits/limits.ts";
import type { Key, Model, RelationModel, ResourceModel } from "../model/model.ts";
import { resourceOf } from "../model/resource-of.ts";
import { andFilters } from "../operation/filter.ts";
import { valueFilter } from "../operation/keys-filter.ts";
import type { GetOperation, ListOperation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Principal } from "../definition/principal.ts";
import type { RowPage } from "../operation/visible-rows.ts";
import { checkNames, lowerLocalList } from "./local-options.ts";

type Options = Readonly<Record<string, unknown>>;

type HistoryRead = GetOperation | ListOperation;

/**
 * Lowers a read of the history of a row. Callers need the row, so that its rules apply. System calls also read the
 * history of rows that no longer exist.
 */
export function lowerLocalHistory(
  { model, resource, limits }: { readonly model: Model; readonly resource: ResourceModel; readonly limits: Limits },
  key: Key,
  options: Options,
  principal: Principal | null,
): HistoryRead {
  const deleted = resource.softDelete === undefined ? [] : ["deleted"];
  checkNames(options, ["filter", "page", "count", ...deleted, "signal"], []);
  const relation = resource.relations.get("history") as RelationModel;
  const history = resourceOf(model, relation.target);
  const parts = lowerLocalList({ model, resource: history }, options, limits, []);
  const count = lowerCount(history, options["count"], ["count"]);
  const selection = history.whole;
  if (principal !== null && isSystem(principal)) {
    const filter = andFilters(valueFilter(relation.foreign, key), parts.filter);
    return { kind: "list", resource: history.name, ...parts, ...(filter && { filter }), count, selection };
  }
  const selected = relationSelection({ model, relation, ...parts, count, selection });
  return {
    kind: "get",
    resource: resource.name,
    key,
    ...lowerDeleted(resource, options["deleted"]),
    relation: relation.name,
    selection: { fields: [], relations: [selected] },
  };
}

/** Returns the page of entries that such a read resulted in. */
export function historyPage({ selection }: HistoryRead, outcome: Outcome): RowPage {
  if (outcome.kind === "page") return outcome.page;
  const [selected] = selection.relations;
  if (outcome.kind === "item" && selected !== undefined) return outcome.row.related(selected.as) as RowPage;
  throw new Error("A read of a history returned an unexpected outcome.");
}
