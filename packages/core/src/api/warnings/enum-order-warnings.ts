import type { Warning } from "../../errors/warning.ts";
import { textOrderOf } from "../../model/enum-order.ts";
import type { Model } from "../../model/model.ts";

/** Warns about sortable enums that sort in another order than they declare. */
export function* enumOrderWarnings(model: Model): Generator<Warning> {
  const names = [...model.resources.values()].flatMap(({ name, visibleFields }) =>
    visibleFields.flatMap((field) => {
      const order = field.sortable ? textOrderOf(field) : undefined;
      return order === undefined ? [] : [`${name}.${field.name} (${order.join(", ")})`];
    }),
  );
  if (names.length === 0) return;
  const message = `These enums sort by their text and not in declared order: ${names.join("; ")}. To sort by rank, store a number, or remove them from 'sortable'.`;
  yield { code: "enum_order", message };
}
