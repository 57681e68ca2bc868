import { isBifocalError } from "../errors/bifocal-error.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { notFound } from "../lowering/not-found.ts";
import type { Key, ResourceModel, Row } from "../model/model.ts";
import type { DeletedRows } from "../operation/deleted-rows.ts";
import { andFilters, type Filter } from "../operation/filter.ts";
import type { GetOperation } from "../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../operation/outcome.ts";
import type { ReadableRow } from "../operation/visible-rows.ts";
import type { NamedRelatedValue } from "../store/store.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import { type FreshVersion, freshVersion, rowTag, rowVersion } from "../model/row-version.ts";
import { callerVersion } from "./access/caller-version.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { refuseGet } from "./access/refuse-named.ts";
import { mayHideFields, type OperationContext, storeWithDeleted } from "./operation-context.ts";
import { decideDeleted } from "./scope/deleted-rows.ts";
import { resourceOf } from "../model/resource-of.ts";
import { knownPlan, planSelection, type SelectionPlan } from "./read/plan-selection.ts";
import type { Level } from "./read/level.ts";
import { readLevel } from "./read/read-level.ts";
import { storeRelatedValues } from "./read/read-related-values.ts";
import { storeFilter } from "./read/rewrite-related.ts";
import { readReceipt } from "./write/idempotency/run-idempotently.ts";
import { noteHook, runHook, toItem } from "./write/run-hook.ts";

/** Reads one row. If it is public, no rule has to be evaluated first. */
export function runGet(context: OperationContext, operation: GetOperation): MaybePromise<ItemOutcome | NothingOutcome> {
  const { key, selection } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  if (operation.idempotency !== undefined) return readReplayed(context, resource, operation);
  const plan = knownPlan(resource, selection);
  const isPlain = operation.deleted === undefined;
  const isOpen = resource.access.read.kind === "allow" && !runsHooks(resource, operation) && isPlain;
  if (plan === undefined || !isOpen) return readItem(context, resource, operation);
  const query = { resource, keys: [key], relatedValues: storeRelatedValues(context, plan) };
  const found = context.storeOf(resource.name).byKeys(query, context.deadline);
  return found instanceof Promise ? completeLater(context, plan, key, found) : completeItem(context, plan, key, found);
}

/** Reads everything below the row. */
function completeItem(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  rows: readonly Row[],
): MaybePromise<ItemOutcome> {
  if (rows.length === 0) throw notFound(plan.resource);
  const level = readLevel(context, plan, rows);
  return level instanceof Promise ? outcomeLater(context, plan, key, level) : itemOutcome(context, plan, key, level);
}

async function completeLater(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  rows: Promise<readonly Row[]>,
): Promise<ItemOutcome> {
  return completeItem(context, plan, key, await rows);
}

async function outcomeLater(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  level: Promise<Level>,
): Promise<ItemOutcome> {
  return itemOutcome(context, plan, key, await level);
}

/** Skips the read if the update has been done already, because its row may have been deleted. */
async function readReplayed(
  context: OperationContext,
  resource: ResourceModel,
  { idempotency, ...operation }: GetOperation,
): Promise<ItemOutcome | NothingOutcome> {
  if ((await readReceipt(context, resource.name, idempotency)) === undefined)
    return readItem(context, resource, operation);
  return { kind: "nothing", key: operation.key };
}

async function readItem(
  context: OperationContext,
  resource: ResourceModel,
  operation: GetOperation,
): Promise<ItemOutcome> {
  const { key } = operation;
  const hooked = runsHooks(resource, operation) ? { context, operation, resource, events: [] } : undefined;
  if (hooked !== undefined) {
    noteHook(context);
    await runHook(hooked, "get", "before");
  }
  const visible = await decideVisible(context, resource);
  // The plan names the values that the store adds to the row.
  const plan = knownPlan(resource, operation.selection) ?? (await planItem(context, resource, operation, visible));
  const relatedValues = storeRelatedValues(context, plan);
  const row = await readRow(context, { resource, key, visible, deleted: operation.deleted, relatedValues });
  if (row === undefined) throw notFound(resource);
  const level = await readLevel(context, plan, [row]);
  refuseGet(context, operation, plan, level);
  if (hooked !== undefined) await runHook(hooked, "get", "after", { item: toItem(resource, row) });
  return itemOutcome(context, plan, key, level);
}

/** Plans the selection. If the caller can't use a part of it, a row that the caller can't see is still NOT_FOUND. */
async function planItem(
  context: OperationContext,
  resource: ResourceModel,
  { key, selection, deleted }: GetOperation,
  visible: Filter,
): Promise<SelectionPlan> {
  try {
    return await planSelection(context, resource, selection);
  } catch (thrown) {
    if (!isBifocalError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
    if ((await readRow(context, { resource, key, visible, deleted })) === undefined) throw notFound(resource);
    throw thrown;
  }
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(["FORBIDDEN", "UNAUTHENTICATED"]);

function runsHooks(resource: ResourceModel, { toChange }: GetOperation): boolean {
  return toChange === undefined && resource.hooks.get !== undefined;
}

/** Returns the row if it exists and the caller can see it. */
export async function readVisible(
  context: OperationContext,
  resource: ResourceModel,
  key: Key,
  deleted?: DeletedRows,
): Promise<Row | undefined> {
  return readRow(context, { resource, key, visible: await decideVisible(context, resource), deleted });
}

async function decideVisible(context: OperationContext, resource: ResourceModel): Promise<Filter> {
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  return visible;
}

interface RowQuery {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly visible: Filter;
  readonly deleted?: DeletedRows | undefined;
  readonly relatedValues?: readonly NamedRelatedValue[] | undefined;
}

async function readRow(
  context: OperationContext,
  { resource, key, visible, deleted, relatedValues }: RowQuery,
): Promise<Row | undefined> {
  const shown = deleted && (await decideDeleted(context, resource, deleted));
  const filter = await storeFilter(context, resource, andFilters(visible, shown));
  const store = deleted === undefined ? context.storeOf(resource.name) : storeWithDeleted(context, resource.name);
  const [row] = await store.byKeys({ resource, keys: [key], filter, relatedValues }, context.deadline);
  return row;
}

/** Returns the outcome for the only row of a level. `written` is set if the row was just written. */
export function itemOutcome(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  level: Level,
  written?: Written,
): MaybePromise<ItemOutcome> {
  if (mayHideFields(context, plan.resource)) return partItem(context, plan, key, level, written);
  return new RowItem(plan, key, level, context.cacheability.personal, written);
}

/** Its version depends on the fields that the caller can see. */
function partItem(
  context: OperationContext,
  plan: SelectionPlan,
  key: Key,
  level: Level,
  written: Written | undefined,
): MaybePromise<ItemOutcome> {
  const versioned = callerVersion(context, plan.resource, level.rows[0] as Row);
  return mapMaybePromise(versioned, (version) => new RowItem(plan, key, level, true, written, version));
}

interface Written {
  readonly created: boolean;
}

class RowItem implements ItemOutcome {
  readonly kind = "item";
  readonly row: ReadableRow;
  readonly key: Key;
  readonly personal: boolean;
  readonly #plan: SelectionPlan;
  readonly #level: Level;
  readonly #written: Written | undefined;
  /** Set if fields are hidden from the caller. */
  readonly #version: string | undefined;
  #fresh: FreshVersion | undefined;

  constructor(
    plan: SelectionPlan,
    key: Key,
    level: Level,
    personal: boolean,
    written: Written | undefined,
    version?: string,
  ) {
    this.row = level.rowAt(0);
    this.key = key;
    this.personal = personal;
    this.#plan = plan;
    this.#level = level;
    this.#written = written;
    this.#version = version;
  }

  get created(): boolean {
    return this.#written?.created === true;
  }

  /** Computed on first use, because GraphQL doesn't need it. */
  get version(): string {
    if (this.#version !== undefined) return this.#version;
    if (this.#written !== undefined) return this.#findFresh().version;
    return rowVersion(this.#plan.resource, this.#level.rows[0] as Row);
  }

  get tag(): string {
    const isCurrent = this.#version === undefined && this.#written === undefined;
    return isCurrent ? rowTag(this.#plan.resource, this.#level.rows[0] as Row) : `"${this.version}"`;
  }

  get text(): string | undefined {
    return this.#written === undefined || this.#version !== undefined ? undefined : this.#findFresh().text;
  }

  #findFresh(): FreshVersion {
    return (this.#fresh ??= freshVersion(this.#plan.resource, this.#level.rows[0] as Row));
  }
}
