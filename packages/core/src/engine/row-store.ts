import type { RowStore } from "../definition/row-store.ts";
import type { EventDraft } from "../events/change-event.ts";
import { CoerceError, coerceWire } from "../model/coerce.ts";
import type { Key, ResourceModel, Row } from "../model/model.ts";
import { keyOf, lowerKey } from "../operation/key.ts";
import { lowerFilter } from "../lowering/lower-filter.ts";
import { notFound } from "../lowering/not-found.ts";
import { lowerSort } from "../lowering/lower-sort.ts";
import type { Json } from "../util/json.ts";
import { textMistake } from "../model/text-mistake.ts";
import type { OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { storeFilter } from "./read/rewrite-related.ts";
import { totalSort } from "./read/needed-fields.ts";
import { buildRow, regenerate } from "./write/create/build-row.ts";
import { checkReferences } from "./write/checks/check-references.ts";
import { checkRename } from "./write/checks/check-rename.ts";
import { dependsOnRow } from "./write/checks/depends-on-row.ts";
import { hasChanged } from "./write/checks/has-changed.ts";
import { planDeletion } from "./write/deletion/plan-deletion.ts";
import { noteUniqueViolation } from "./write/checks/unique-violation.ts";
import { transact } from "./write/transact.ts";
import { applyDeletion, deletedEvent } from "./write/deletion/apply-deletion.ts";

type Value = Readonly<Record<string, unknown>>;
export type UntypedRowStore = RowStore<Record<string, unknown>, unknown>;

/** The rows of a resource for Bifocal's own code. */
export interface OwnRowStore extends UntypedRowStore {
  /** Updates a row only if it has these values, in one step. Returns whether it did. */
  updateWhere(id: unknown, values: Value | undefined, changes: Value): Promise<boolean>;
}

const DEFAULT_LIMIT = 10_000;
const TRUSTED = { form: "value", path: [], trusted: true } as const;

/**
 * Creates the rows of a resource for application code: values in and out, without access rules, within the operation's
 * transaction. If the resource's store isn't part of that transaction, each write is a separate transaction with its
 * event.
 */
export function createRowStore(context: OperationContext, name: string, events: EventDraft[]): OwnRowStore {
  const rows = rowsWithin(context, name, events);
  const store = context.unscopedStoreOf(name);
  if (store !== context.engine.storeOf(name) || !store.capabilities.transactions) return rows;
  const alone = <T>(write: (own: OwnRowStore) => Promise<T>): Promise<T> =>
    transact(context, name, (inner, noted) => write(rowsWithin(inner, name, noted)));
  return {
    ...rows,
    create: (data) => alone((own) => own.create(data)),
    update: (id, changes) => alone((own) => own.update(id, changes)),
    updateWhere: (id, values, changes) => alone((own) => own.updateWhere(id, values, changes)),
    delete: (id) => alone((own) => own.delete(id)),
  };
}

function rowsWithin(context: OperationContext, name: string, events: EventDraft[]): OwnRowStore {
  const resource = resourceOf(context.engine.model, name);
  const store = context.storeOf(name);
  const { deadline } = context;
  // References must exist even if the caller can't see them, so that stores with and without foreign keys behave the
  // same.
  const trusted: OperationContext = { ...context, system: true, decisions: undefined };
  const toValue = (row: Row): Record<string, unknown> => ({ ...(resource.codec?.toValue(row) ?? row) });

  async function read(id: unknown): Promise<{ readonly key: Key; readonly row: Row } | undefined> {
    const key = lowerKey(resource, id);
    if (key === undefined) return undefined;
    const [row] = await store.byKeys({ resource, keys: [key] }, deadline);
    return row && { key, row };
  }

  async function require(id: unknown): Promise<{ readonly key: Key; readonly row: Row }> {
    const found = await read(id);
    if (found === undefined) throw notFound(resource);
    return found;
  }

  async function change(key: Key, values: Value | undefined, changes: Value): Promise<Row | undefined> {
    const set = { ...regenerate(context, resource), ...toStoredRow(resource, changes, "An action") };
    const target = { model: context.engine.model, resource };
    const where = lowerFilter(target, values, { ...TRUSTED, limits: context.engine.limits });
    const [found] = dependsOnRow(trusted, resource, key, set)
      ? await store.byKeys({ resource, keys: [key] }, deadline)
      : [];
    await checkReferences(trusted, resource, set, found);
    if (found !== undefined) await checkRename(trusted, resource, found, set);
    const result = await noteUniqueViolation(
      resource,
      set,
      () => store.update({ resource, key, set, where }, deadline),
      key,
    );
    if (result.kind !== "done") return undefined;
    const { before, after } = result;
    if (hasChanged(before, after)) {
      events.push({ resource: name, kind: "updated", key: keyOf(resource, after), before, after });
    }
    return after;
  }

  return {
    async get(id) {
      const found = await read(id);
      return found === undefined ? null : toValue(found.row);
    },
    async list({ filter, sort = [], limit = DEFAULT_LIMIT } = {}) {
      const target = { model: context.engine.model, resource };
      const options = { ...TRUSTED, limits: context.engine.limits };
      const where = await storeFilter(context, resource, lowerFilter(target, filter, options));
      const order = totalSort(resource, lowerSort(target, sort, []));
      const page = await store.list({ resource, filter: where, sort: order, limit }, deadline);
      return page.rows.map(toValue);
    },
    async create(data) {
      const row = buildRow(context, resource, toStoredRow(resource, data, "An action"));
      await checkReferences(trusted, resource, row);
      const [after] = await noteUniqueViolation(resource, row, () => store.insert({ resource, rows: [row] }, deadline));
      if (after === undefined) throw new Error(`The store of '${name}' did not return the row it inserted.`);
      events.push({ resource: name, kind: "created", key: keyOf(resource, after), after });
      return toValue(after);
    },
    async update(id, changes) {
      const { key } = await require(id);
      const after = await change(key, undefined, changes);
      // Another request deleted it in the meantime.
      if (after === undefined) throw notFound(resource);
      return toValue(after);
    },
    async updateWhere(id, values, changes) {
      const key = lowerKey(resource, id);
      return key !== undefined && (await change(key, values, changes)) !== undefined;
    },
    async delete(id) {
      const { key, row } = await require(id);
      const deletion = await planDeletion(context, resource, key, row);
      const result = await applyDeletion(context, row, { resource, key }, deletion, events);
      if (result.kind === "done") events.push(deletedEvent(resource, key, result));
    },
  };
}

/**
 * Converts values to stored form. An invalid value is a mistake of the application, so it throws a plain error that is
 * masked for clients.
 */
export function toStoredRow(resource: ResourceModel, value: Value, who: string): Row {
  const row: Record<string, Json> = {};
  for (const [name, one] of Object.entries(value)) {
    const field = resource.fields.get(name);
    if (field === undefined) throw new Error(`${who} set '${name}', which '${resource.name}' doesn't have.`);
    // As in all inputs, undefined leaves a field unchanged and `null` clears it.
    if (one === undefined) continue;
    try {
      const stored = field.codec === undefined ? one : field.codec.toStored(one);
      row[name] = stored === null && field.type.nullable ? null : coerceWire(field.type, stored);
      const mistake = textMistake(row[name]);
      if (mistake !== undefined) throw new CoerceError(mistake);
    } catch (thrown) {
      if (!(thrown instanceof CoerceError)) throw thrown;
      throw new Error(`${who} set an invalid value for '${name}' of '${resource.name}': ${thrown.message}`, {
        cause: thrown,
      });
    }
  }
  return row;
}
