import { relationSelection, selectFields } from "../../lowering/lower-selection.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import { parseId } from "../../operation/key.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { LinkedRows, ReadLinked } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import { type Exchange, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import type { Dependence } from "./view.ts";

const NONE: LinkedRows = { rows: [], isWhole: false };
const MAX_ROWS = 50;

/** Returns a function with which a format reads rows along a relation of its row. It sets `noted.personal`. */
export function askLinked(exchange: Exchange, noted: Dependence, id: string): ReadLinked {
  const { model, resource } = exchange.target;
  return async (relation, names) => {
    const target = model.resources.get(relation.target) as ResourceModel;
    const selection = { fields: selectFields(target, [...target.key, ...names]), relations: [] };
    const page = { size: Math.min(target.page.max, MAX_ROWS) };
    const selected = relationSelection({ model, relation, page, selection });
    const outcome = await run(exchange, {
      kind: "get",
      resource: resource.name,
      key: parseId(resource, id) as Key,
      relation: relation.name,
      selection: { fields: [], relations: [selected] },
      named: [],
    });
    if (outcome.kind !== "item") return unexpectedOutcome(outcome);
    if (outcome.personal) noted.personal = true;
    const found = outcome.row.related(selected.as) as RowPage | undefined;
    return found === undefined ? NONE : { rows: found.write(ROW_VIEW), isWhole: !found.hasNext };
  };
}
