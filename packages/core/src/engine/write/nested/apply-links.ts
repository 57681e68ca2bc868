import { CASCADE_COST } from "../../../limits/cost.ts";
import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import { keyOf, keyToken } from "../../../operation/key.ts";
import type { LinkOperation } from "../../../operation/operation.ts";
import { decide, isAlways } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { errorAt } from "../checks/error-at.ts";
import { linkRow, type LinkSource, refuseLinkEnd } from "../links/link-rows.ts";
import type { Hooked } from "../run-hook.ts";
import type { LinksPlan, LinkTargets } from "./plan-links.ts";
import type { NamedKey } from "./named-keys.ts";

interface LinkedRow {
  readonly row: Row;
  readonly path: NamedKey["path"];
}

/**
 * Changes the links of a row within a transaction, removed ones first. Links to rows that the caller can't see stay
 * unchanged.
 */
export async function applyLinks(hooked: Hooked, plan: LinksPlan, source: Row, targets: LinkTargets): Promise<void> {
  const { context, resource } = hooked;
  const { relation, target, rights, path } = plan;
  const known = targets.get(target.name);
  const rowsOf = (keys: readonly NamedKey[]): LinkedRow[] =>
    keys.map((one) => ({ row: known?.get(keyToken(one.key)) as Row, path: one.path }));
  let [add, remove] = [rowsOf(plan.add), rowsOf(plan.remove)];
  if (plan.isSet) {
    const before = await readLinked(context, plan, source).catch(atPath(path));
    const kept = new Set(add.map(({ row }) => keyToken(keyOf(target, row))));
    add = add.filter(({ row }) => !before.has(keyToken(keyOf(target, row))));
    remove = [...before].flatMap(([token, row]) => (kept.has(token) ? [] : [{ row, path }]));
    await context.engine.charge(context.caller, CASCADE_COST * remove.length);
  }
  if (add.length + remove.length === 0) return;
  const place: LinkSource = { resource, relation, target, source, rights };
  // All rows are checked before the first hook runs.
  await refuseLinkEnd(context, rights, "source", source).catch(atPath(path));
  for (const one of [...remove, ...add])
    await refuseLinkEnd(context, rights, "target", one.row).catch(atPath(one.path));
  await changeLinks(hooked, place, "unlink", remove);
  await changeLinks(hooked, place, "link", add);
}

function atPath(path: NamedKey["path"]): (thrown: unknown) => never {
  return (thrown) => {
    throw errorAt(thrown, path);
  };
}

async function changeLinks(
  { context, resource, events }: Hooked,
  place: LinkSource,
  kind: "link" | "unlink",
  others: readonly LinkedRow[],
): Promise<void> {
  const { relation, source, target } = place;
  for (const { row, path } of others) {
    const ends = { key: keyOf(resource, source), target: keyOf(target, row) };
    const operation: LinkOperation = { kind, resource: resource.name, relation: relation.name, ...ends };
    await linkRow(context, operation, place, row, events).catch(atPath(path));
  }
}

/** Returns the linked rows that the caller can see, by the token of their key. */
async function readLinked(
  context: OperationContext,
  { relation, target }: LinksPlan,
  source: Row,
): Promise<ReadonlyMap<string, Row>> {
  const most = context.engine.limits.query.cascade;
  const visible = await decide(context, target.access.read, target);
  const query = {
    resource: target,
    relation,
    parents: [referenceOf(relation.local, source) as Key],
    filter: isAlways(visible) ? undefined : await storeFilter(context, target, visible),
    sort: totalSort(target, []),
    limit: most,
  };
  const [page] = await context.storeOf(target.name).listPer(query, context.deadline);
  if (page?.more === true) throw tooManyLinks(target, most);
  return new Map((page?.rows ?? []).map((row) => [keyToken(keyOf(target, row)), row]));
}

function tooManyLinks({ plural }: ResourceModel, most: number): BifocalError {
  const count = most.toLocaleString("en");
  const message = `This row has links to more than ${count} ${plural} (limit 'cascade'), so they can't be set. Add and remove links instead.`;
  return new BifocalError("CONFLICT", message);
}
