import { BifocalError } from "../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../model/model.ts";
import type { GetOperation } from "../operation/operation.ts";
import type { ItemOutcome, Node, NothingOutcome, RawRows } from "../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import { freshVersion, rowVersion } from "../model/row-version.ts";
import { callerVersion, mayHideFields } from "./access/caller-version.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { refuseGet } from "./access/refuse-get.ts";
import { type OperationContext, resourceOf } from "./operation-context.ts";
import { knownPlan, planSelection, type SelectionPlan } from "./read/plan-selection.ts";
import type { Level } from "./read/level.ts";
import { readLevel } from "./read/read-level.ts";
import { storeFilter } from "./read/rewrite-related.ts";
import { readReceipt } from "./write/idempotency/run-idempotently.ts";
import { hasHook, noteHook, runHook, toItem } from "./write/run-hook.ts";

/** Reads one row. If it is public, no rule has to be evaluated first. */
export function runGet(frame: OperationContext, operation: GetOperation): MaybePromise<ItemOutcome | NothingOutcome> {
  const { key, selection } = operation;
  const resource = resourceOf(frame.engine.model, operation.resource);
  if (operation.idempotency !== undefined) return readReplayed(frame, resource, operation);
  const plan = knownPlan(resource, selection);
  const isOpen = resource.access.read.kind === "allow" && !runsHooks(resource, operation);
  if (plan === undefined || !isOpen) return readItem(frame, resource, operation);
  const found = frame.storeOf(resource.name).byKeys({ resource, keys: [key] }, frame.context);
  return mapMaybePromise(found, (rows) => {
    if (rows.length === 0) throw notFound(resource);
    return mapMaybePromise(readLevel(frame, plan, rows), (level) => itemOutcome(frame, plan, key, level));
  });
}

/** Skips the read if the update has been done already, because its row may have been deleted. */
async function readReplayed(
  frame: OperationContext,
  resource: ResourceModel,
  { idempotency, ...operation }: GetOperation,
): Promise<ItemOutcome | NothingOutcome> {
  if ((await readReceipt(frame, resource.name, idempotency)) === undefined) return readItem(frame, resource, operation);
  return { kind: "nothing", key: operation.key };
}

async function readItem(
  frame: OperationContext,
  resource: ResourceModel,
  operation: GetOperation,
): Promise<ItemOutcome> {
  const { key, selection } = operation;
  const hooked = runsHooks(resource, operation) ? { frame, operation, resource, events: [] } : undefined;
  if (hooked !== undefined) {
    noteHook(frame);
    await runHook(hooked, "get", "before");
  }
  const row = await readVisible(frame, resource, key);
  if (row === undefined) throw notFound(resource);
  const plan = knownPlan(resource, selection) ?? (await planSelection(frame, resource, selection));
  const level = await readLevel(frame, plan, [row]);
  refuseGet(frame, operation, plan, level);
  if (hooked !== undefined) await runHook(hooked, "get", "after", { item: toItem(resource, row) });
  return itemOutcome(frame, plan, key, level);
}

function runsHooks(resource: ResourceModel, { toChange }: GetOperation): boolean {
  return toChange === undefined && hasHook(resource, "get");
}

/** Returns the row if it exists and the caller can see it. */
export async function readVisible(
  frame: OperationContext,
  resource: ResourceModel,
  key: Key,
): Promise<Row | undefined> {
  const visible = await decide(frame, resource.access.read, resource);
  refuseNever(frame, visible, `read ${resource.plural}`);
  const filter = visible.kind === "constant" ? undefined : await storeFilter(frame, resource, visible);
  const [row] = await frame.storeOf(resource.name).byKeys({ resource, keys: [key], filter }, frame.context);
  return row;
}

/** The error is the same for a missing row and for a hidden one. */
export function notFound(resource: ResourceModel): BifocalError {
  return new BifocalError("NOT_FOUND", `There is no ${resource.name} with this id.`);
}

/** Returns the outcome for the only row of a level. `written` is set if the row was just written. */
export function itemOutcome(
  frame: OperationContext,
  plan: SelectionPlan,
  key: Key,
  level: Level,
  written?: { readonly created: boolean },
): MaybePromise<ItemOutcome> {
  const { personal } = frame.cacheability;
  if (!mayHideFields(frame, plan.resource)) return new RowItem({ plan, key, level, personal, written });
  const versioned = callerVersion(frame, plan.resource, level.rows[0] as Row);
  return mapMaybePromise(versioned, (version) => new RowItem({ plan, key, level, personal: true, written, version }));
}

interface ItemParts {
  readonly plan: SelectionPlan;
  readonly key: Key;
  readonly level: Level;
  readonly personal: boolean;
  readonly written: { readonly created: boolean } | undefined;
  /** Set if fields are hidden from the caller. */
  readonly version?: string;
}

class RowItem implements ItemOutcome {
  readonly kind = "item";
  readonly key: Key;
  readonly personal: boolean;
  readonly created: boolean;
  readonly #parts: ItemParts;

  constructor(parts: ItemParts) {
    this.key = parts.key;
    this.personal = parts.personal;
    this.created = parts.written?.created === true;
    this.#parts = parts;
  }

  get node(): Node {
    return this.#parts.level.nodes[0] as Node;
  }

  get raw(): RawRows | undefined {
    return this.#parts.level.raw;
  }

  /** Computed on first use, because GraphQL doesn't need it. */
  get version(): string {
    const { plan, level, written, version } = this.#parts;
    if (version !== undefined) return version;
    const row = level.rows[0] as Row;
    return written === undefined ? rowVersion(plan.resource, row) : freshVersion(plan.resource, row);
  }
}
