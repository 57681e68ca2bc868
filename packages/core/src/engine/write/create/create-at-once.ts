import { isBifocalError } from "../../../errors/bifocal-error.ts";
import { isStoreConflict } from "../../../errors/store-conflict.ts";
import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, ResourceModel, Row } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { referenceOf, type Token, tokenOf } from "../../../model/reference.ts";
import { keyOf } from "../../../operation/key.ts";
import type { Idempotency } from "../../../operation/operation.ts";
import type { InsertAtOnceCommand, KeysQuery } from "../../../store/store.ts";
import { decide, isAlways, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import type { CheckedInput } from "../checks/check-input.ts";
import { publish } from "../transact.ts";
import { buildRow } from "./build-row.ts";

/** Rows of one operation, whose inputs are valid and allowed. */
export interface RowsToCreate {
  readonly resource: ResourceModel;
  readonly checked: readonly CheckedInput[];
  readonly idempotency: Idempotency | undefined;
  /** Whether the receipt is a list of keys. */
  readonly isBatch: boolean;
}

/**
 * Creates rows in one step of the store. Returns `undefined`, with nothing written, if they must be created one after
 * the other: because of hooks, a history, rules that depend on the row, a store without this step, or a failure, whose row and
 * reason only show that way. A receipt that already exists is such a failure.
 */
export async function createAtOnce(
  context: OperationContext,
  { resource, checked, idempotency, isBatch }: RowsToCreate,
): Promise<readonly Row[] | undefined> {
  const store = context.storeOf(resource.name);
  if (store.insertAtOnce === undefined || resource.hooks.create !== undefined) return undefined;
  if (resource.history !== undefined) return undefined;
  if (idempotency?.receipt !== undefined || !checked.every(({ decision }) => isAlways(decision))) return undefined;
  // Decisions of rules also apply if the rows are created one after the other.
  context.decisions ??= new Map();
  const rows = checked.map(({ row }) => buildRow(context, resource, row));
  const references = await referencesOf(context, resource, rows);
  if (references === undefined) return undefined;
  const isKept = context.engine.changes.isKept(resource.name);
  const logged = isKept ? loggedFields(resource) : undefined;
  const receipt = receiptFor(context, resource, idempotency, isBatch);
  const created = await insert(context, { resource, rows, references, logged, receipt });
  if (created === undefined) return undefined;
  const events = created.map((after): EventDraft => {
    return { resource: resource.name, kind: "created", key: keyOf(resource, after), after };
  });
  await publish(context, events, isKept ? context.unscopedStoreOf(resource.name) : undefined);
  if (idempotency !== undefined) {
    const keys = created.map((row) => keyOf(resource, row));
    idempotency.settle?.(isBatch ? keys : (keys[0] as Key), false);
  }
  return created;
}

async function insert(context: OperationContext, command: InsertAtOnceCommand): Promise<readonly Row[] | undefined> {
  try {
    return await context.storeOf(command.resource.name).insertAtOnce?.(command, context.deadline);
  } catch (thrown) {
    const isOfRow = isStoreConflict(thrown) || (isBifocalError(thrown) && FAULTS_OF_ROWS.has(thrown.code));
    if (isOfRow) return undefined;
    throw thrown;
  }
}

const FAULTS_OF_ROWS: ReadonlySet<string> = new Set(["VALIDATION_FAILED", "CONFLICT"]);

/** Returns the rows that the new rows reference, or `undefined` if they can't be checked in the same step. */
async function referencesOf(
  context: OperationContext,
  resource: ResourceModel,
  rows: readonly Row[],
): Promise<readonly KeysQuery[] | undefined> {
  const keysOf = new Map<string, Map<Token, Key>>();
  for (const { kind, local, target, toKey } of resource.relations.values()) {
    if (kind !== "belongsTo") continue;
    let keys = keysOf.get(target);
    let last: Token | undefined;
    for (const row of rows) {
      const value = referenceOf(local, row);
      if (value === null) continue;
      if (!toKey) return undefined;
      const token = tokenOf(value);
      // Rows of one request often reference the same row.
      if (token === last) continue;
      last = token;
      if (keys === undefined) keysOf.set(target, (keys = new Map()));
      keys.set(token, value);
    }
  }
  const queries: KeysQuery[] = [];
  for (const [name, keys] of keysOf) {
    const target = resourceOf(context.engine.model, name);
    if (context.storeOf(name) !== context.storeOf(resource.name)) return undefined;
    const visible = await decide(context, target.access.read, target);
    if (isNever(visible)) return undefined;
    const filter = isAlways(visible) ? undefined : await storeFilter(context, target, visible);
    queries.push({ resource: target, keys: [...keys.values()], filter, fields: new Set(target.key) });
  }
  return queries;
}

function loggedFields({ fields, secretFields }: ResourceModel): readonly string[] {
  return [...fields.keys()].filter((name) => !secretFields.includes(name));
}

function receiptFor(
  context: OperationContext,
  { name }: ResourceModel,
  asked: Idempotency | undefined,
  isBatch: boolean,
): InsertAtOnceCommand["receipt"] {
  if (asked === undefined || context.storeOf(name).capabilities.receipts !== true) return undefined;
  const { token, fingerprint, expires } = asked;
  return { token, fingerprint, expires, isBatch };
}
