import { isBifocalError } from "../../../errors/bifocal-error.ts";
import type { FieldModel, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER } from "../../../operation/filter.ts";
import { decide, isAlways, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { storeFilter } from "../../read/rewrite-related.ts";

/** Describes rows that the caller can't see. */
const OTHER_ROWS = "other rows";

/**
 * Describes the rows that prevent a deletion. Returns the name of their resource if the caller can see one of them and
 * its reference, and a general term otherwise, because the name would reveal that a hidden row exists. `find` reads the
 * rows that match a filter in the form that the store supports.
 */
export async function nameHolders(
  context: OperationContext,
  from: ResourceModel,
  relation: RelationModel,
  find: (visible: Filter | undefined) => Promise<readonly Row[]>,
): Promise<string> {
  // The row may be referenced from outside the scope of the caller.
  const visible = andFilters(context.scope?.filterOf(from), await visibleHolders(context, from, relation)) ?? ALWAYS;
  if (isNever(visible)) return OTHER_ROWS;
  if (isAlways(visible)) return from.plural;
  return (await find(await storeFilter(context, from, visible))).length > 0 ? from.plural : OTHER_ROWS;
}

async function visibleHolders(
  context: OperationContext,
  from: ResourceModel,
  relation: RelationModel,
): Promise<Filter> {
  try {
    const visible = await decide(context, from.access.read, from);
    // The rule of a link may depend on rows of either side, so only public relations are named.
    if (relation.through !== undefined) return relation.read.kind === "allow" ? visible : NEVER;
    const decisions = [visible, await decide(context, relation.read, from)];
    for (const name of relation.local) {
      const { internal, read } = from.fields.get(name) as FieldModel;
      if (internal) return NEVER;
      decisions.push(await decide(context, read, from));
    }
    return andFilters(...decisions) ?? ALWAYS;
  } catch (thrown) {
    // A rule may deny by throwing a `BifocalError`.
    if (isBifocalError(thrown)) return NEVER;
    throw thrown;
  }
}
