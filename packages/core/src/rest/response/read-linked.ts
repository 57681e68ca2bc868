import type { BifocalError } from "../../errors/bifocal-error.ts";
import { relationSelection, selectFields } from "../../lowering/lower-selection.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import { parseId } from "../../operation/key.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { LinkedRows, ReadLinked } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Dependence } from "./view.ts";

const NONE: LinkedRows = { rows: [], isWhole: false };
/** A deleted row has no page for its relations. */
const UNREADABLE: ReadonlySet<BifocalError["code"]> = new Set(["FORBIDDEN", "UNAUTHENTICATED", "NOT_FOUND"]);
const MAX_ROWS = 50;

/** Returns a function with which a format reads rows along a relation of its row. It can set `noted.personal`. */
export function askLinked({ context, target }: Exchange, noted: Dependence, id: string): ReadLinked {
  const { model, resource } = target;
  return async (relation, names) => {
    const far = model.resources.get(relation.target) as ResourceModel;
    const selection = { fields: selectFields(far, [...far.key, ...names]), relations: [] };
    const page = { size: Math.min(far.page.max, MAX_ROWS) };
    const selected = relationSelection({ model, relation, page, selection });
    const operation = {
      kind: "get",
      resource: resource.name,
      key: parseId(resource, id) as Key,
      relation: relation.name,
      selection: { fields: [], relations: [selected] },
      named: [],
    } as const;
    const outcome = await context.run(operation, context.caller);
    if (outcome.kind === "failure") {
      if (!UNREADABLE.has(outcome.error.code)) throw outcome.error;
      noted.personal = true;
      return NONE;
    }
    if (outcome.kind !== "item") return unexpectedOutcome(outcome);
    if (outcome.personal) noted.personal = true;
    const found = outcome.row.related(selected.as) as RowPage | undefined;
    return found === undefined ? NONE : { rows: found.write(ROW_VIEW), isWhole: !found.hasNext };
  };
}
