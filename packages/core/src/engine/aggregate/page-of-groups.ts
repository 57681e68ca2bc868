import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Group } from "../../operation/group.ts";
import type { GroupPage } from "../../operation/visible-rows.ts";
import type { Position } from "../../store/store.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import type { OperationContext } from "../operation-context.ts";
import type { AggregateList } from "./aggregate-list.ts";
import type { GroupOrder } from "./order-groups.ts";
import type { GroupValues } from "./read-measures.ts";

type ToPage = (groups: readonly GroupValues[], create: (values: GroupValues) => Group) => GroupPage;

/** Returns a function that sorts groups and selects a page. Throws BAD_REQUEST if a cursor belongs to another one. */
export function pageOfGroups({ engine }: OperationContext, list: AggregateList, order: GroupOrder): ToPage {
  const { size, offset = 0, fromEnd = false, ...cursors } = list.page;
  const scope = scopeOf(list);
  const decode = (name: "after" | "before"): Position | undefined => {
    const cursor = cursors[name];
    if (cursor === undefined) return undefined;
    const position = engine.cursors.decode(scope, cursor);
    if (position?.length === order.length) return position;
    const message = `The cursor in '${name}' belongs to other groups, or another sort or filter. Start again without a cursor.`;
    const issues = [{ path: ["page", name], message, code: "invalid_cursor" }];
    throw new BifocalError("BAD_REQUEST", message, { issues });
  };
  const [after, before] = [decode("after"), decode("before")];
  return (groups, create) => {
    const range = groups
      .filter((group) => after === undefined || order.compareTo(group, after) > 0)
      .filter((group) => before === undefined || order.compareTo(group, before) < 0)
      .sort(order.compare)
      .slice(offset);
    const shown = fromEnd ? range.slice(Math.max(0, range.length - size)) : range.slice(0, size);
    const more = range.length > shown.length;
    return {
      groups: shown.map(create),
      length: shown.length,
      total: groups.length,
      totalIsExact: true,
      hasNext: fromEnd ? before !== undefined : more,
      hasPrevious: fromEnd ? more : after !== undefined || offset > 0,
      cursor: (index) => engine.cursors.encode(scope, order.positionOf(shown[index] as GroupValues)),
    };
  };
}

/** The scope of a cursor: everything that determines the groups and their order, but not their values or the page. */
function scopeOf({ target, relation, groupBy, having, sort, asked }: AggregateList): string {
  const place = [target.name, relation === undefined ? null : `${relation.source}.${relation.name}`];
  return canonicalJson(["groups", ...place, groupBy, having ?? null, sort, asked ?? null]);
}
