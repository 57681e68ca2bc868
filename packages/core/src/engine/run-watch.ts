import type { BusMessage, ChangeEvent } from "../events/bus.ts";
import type { ResourceModel, Row } from "../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../operation/filter.ts";
import { formatId, keyToken } from "../operation/key.ts";
import type { WatchOperation } from "../operation/operation.ts";
import type { Change, Node, StreamOutcome } from "../operation/outcome.ts";
import { authorizeFilter } from "./access/authorize-filter.ts";
import { decide, isNever, refuseNever } from "./access/decide.ts";
import { readBus } from "./change-stream.ts";
import { createFrame, type Frame, resourceOf } from "./frame.ts";
import { maskError } from "./mask-error.ts";
import { matchesRow } from "./read/match-rows.ts";
import { planSelection } from "./read/plan-selection.ts";
import { readLevel } from "./read/read-level.ts";
import { storeFilter } from "./read/rewrite-related.ts";
import { runHook } from "./write/run-hook.ts";

/** Changes as they happen, each as this caller may see it. Who may read nothing is refused at once. */
export async function runWatch(frame: Frame, operation: WatchOperation): Promise<StreamOutcome> {
  const resource = resourceOf(frame.engine.model, operation.resource);
  const { bus } = frame.engine;
  // Before anything that waits: no change from here on is missed.
  const messages = readBus(bus, resource.name, operation.after, frame.caller.signal);
  try {
    await checkRights(frame, resource, operation);
    await runHook({ frame, operation, resource, events: [] }, "watch", "before");
  } catch (thrown) {
    await messages.return?.();
    throw thrown;
  }
  return { kind: "stream", changes: readChanges(frame, resource, operation, messages) };
}

async function checkRights(frame: Frame, resource: ResourceModel, operation: WatchOperation): Promise<void> {
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  await authorizeFilter(frame, resource, operation.filter);
  await planSelection(frame, resource, operation.selection);
}

/** An iterator by hand: the `return` of a generator would wait for the next message. */
function readChanges(
  frame: Frame,
  resource: ResourceModel,
  operation: WatchOperation,
  messages: AsyncIterableIterator<BusMessage>,
): AsyncIterableIterator<Change> {
  const key = operation.key === undefined ? undefined : keyToken(operation.key);
  const isWanted = (event: ChangeEvent): boolean =>
    operation.on.includes(event.kind) && (key === undefined || keyToken(event.key) === key);
  return {
    async next() {
      for (;;) {
        const { done, value } = await messages.next();
        if (done === true) return { done: true, value: undefined };
        if (value.kind === "reset") return { done: false, value };
        if (!isWanted(value)) continue;
        const change = await readChange(frame, resource, operation, value);
        if (change !== undefined) return { done: false, value: change };
      }
    },
    async return() {
      await messages.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** One event in the eyes of the caller: rules are asked anew, because what they look at may have changed. */
async function readChange(
  stream: Frame,
  resource: ResourceModel,
  operation: WatchOperation,
  event: ChangeEvent,
): Promise<Change | undefined> {
  const frame = createFrame(stream.engine, stream.caller, { signal: stream.caller.signal });
  try {
    const visible = await decide(frame, resource.access.read, resource);
    if (isNever(visible)) return undefined;
    const asked = await authorizeFilter(frame, resource, operation.filter);
    const row = await currentRow(frame, resource, event, andFilters(visible, asked ?? ALWAYS));
    if (row === undefined) return undefined;
    const plan = await planSelection(frame, resource, operation.selection);
    const level = await readLevel(frame, plan, [row]);
    const { id, kind } = event;
    // Ids of events are the bus's own; what the change is about has its key.
    return { kind, id, key: event.key, node: level.nodes[0] as Node, raw: level.raw };
  } catch (thrown) {
    const error = maskError(thrown, frame.caller, frame.log);
    frame.log.warn(`A change of ${resource.name} ${formatId(resource, event.key)} was not delivered.`, {
      cause: error,
    });
    return undefined;
  }
}

/** What is deleted cannot be read again: the rules are asked about the row as it was. */
async function currentRow(
  frame: Frame,
  resource: ResourceModel,
  event: ChangeEvent,
  filter: Filter | undefined,
): Promise<Row | undefined> {
  if (event.kind === "deleted") {
    const { before } = event;
    if (before === undefined) return undefined;
    return filter === undefined || (await matchesRow(frame, resource, before, filter)) ? before : undefined;
  }
  const where = await storeFilter(frame, resource, filter);
  const query = { resource, keys: [event.key], filter: where };
  const [row] = await frame.storeOf(resource.name).byKeys(query, frame.context);
  return row;
}
