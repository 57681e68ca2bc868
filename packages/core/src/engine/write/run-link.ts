import { BifocalError } from "../../errors/bifocal-error.ts";
import type { EventDraft } from "../../events/change-event.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { LinkOperation } from "../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../operation/outcome.ts";
import { decide, denied, isAlways, refuseNever } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { matchesRow } from "../read/match-rows.ts";
import { notFound, readVisible } from "../run-get.ts";
import { answerRow } from "./answer-row.ts";
import { requireWrites } from "./check-input.ts";
import { runHook, toItem } from "./run-hook.ts";
import { transact } from "./transact.ts";

/** Links or unlinks two rows, both of which the caller must see. Doing it again changes nothing. */
export async function runLink(frame: Frame, operation: LinkOperation): Promise<ItemOutcome | NothingOutcome> {
  const resource = resourceOf(frame.engine.model, operation.resource);
  const relation = resource.relations.get(operation.relation) as RelationModel;
  const target = resourceOf(frame.engine.model, relation.target);
  requireWrites(frame, resource);
  const what = `change the ${relation.name} of this ${resource.name}`;
  const decision = await decide(frame, relation.link, resource);
  refuseNever(frame, decision, what);
  const row = await transact(frame, resource.name, async (inner, events) => {
    const source = await readVisible(inner, resource, operation.key);
    if (source === undefined) throw notFound(resource);
    if (!isAlways(decision) && !(await matchesRow(inner, resource, source, decision))) throw denied(frame, what);
    const { more = [], ...first } = operation;
    const place = { resource, relation, target, source };
    for (const key of [operation.target, ...more]) await linkOne(inner, { ...first, target: key }, place, events);
    return source;
  });
  if (operation.selection === undefined) return { kind: "nothing", key: operation.key };
  return answerRow(frame, resource, row, operation.selection);
}

interface Place {
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly source: Row;
}

async function linkOne(frame: Frame, operation: LinkOperation, place: Place, events: EventDraft[]): Promise<void> {
  const { resource, relation, target, source } = place;
  const other = await requireTarget(frame, target, operation.target);
  const hooked = { frame, operation, resource, events };
  await runHook(hooked, "link", "before", { item: toItem(resource, source) });
  const command = {
    relation,
    from: source[relation.local] as string | number,
    to: other[relation.foreign] as string | number,
  };
  const isChange = await frame.storeOf(resource.name)[operation.kind](command, frame.context);
  if (isChange) events.push(...touched(resource, source, [relation.name]), ...inverseEvents(relation, target, other));
  await runHook(hooked, "link", "after", { item: toItem(resource, source) });
}

/** The far row; one that is hidden is as good as none. */
async function requireTarget(frame: Frame, target: ResourceModel, key: Key): Promise<Row> {
  try {
    const row = await readVisible(frame, target, key);
    if (row !== undefined) return row;
  } catch (thrown) {
    if (!(thrown instanceof BifocalError)) throw thrown;
  }
  throw notFound(target);
}

/** A link is a change of both rows, of the far one where it shows the relation as well. */
function inverseEvents(relation: RelationModel, target: ResourceModel, row: Row): readonly EventDraft[] {
  const shows = [...target.relations.values()].filter(
    (other) => other !== relation && other.through !== undefined && other.through.name === relation.through?.name,
  );
  return touched(
    target,
    row,
    shows.map(({ name }) => name),
  );
}

function touched(resource: ResourceModel, row: Row, links: readonly string[]): readonly EventDraft[] {
  if (links.length === 0) return [];
  return [{ resource: resource.name, kind: "updated", key: keyOf(resource, row), before: row, after: row, links }];
}
