import { BifocalError, isBifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { FieldModel, Key, ResourceModel, Row } from "../../../model/model.ts";
import { andFilters, type Filter } from "../../../operation/filter.ts";
import { catchMaybePromise, type MaybePromise } from "../../../util/maybe-promise.ts";
import { decide, isAlways, isNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { isStoreConflict, StoreConflict } from "../../../errors/store-conflict.ts";
import { storeFilter } from "../../read/rewrite-related.ts";
import { totalSort } from "../../read/needed-fields.ts";

/** A row can't be written because another row has the same unique values. */
export class UniqueViolation extends StoreConflict {
  readonly resource: string;
  readonly written: Row;
  /** The key of the row to update. */
  readonly key: Key | undefined;
  /** Path of the row in an input of several rows. */
  readonly path: Issue["path"];
  /** For fields that the engine set from nested inputs: the name of the relation by field. */
  readonly made: ReadonlyMap<string, string> | undefined;

  constructor(fields: readonly string[], { resource, written, key, path, made }: Attempt) {
    super(fields);
    this.resource = resource;
    this.written = written;
    this.key = key;
    this.path = path;
    this.made = made;
  }
}

type Attempt = Omit<UniqueViolation, keyof StoreConflict>;

export function attemptOf({ resource, written, key, path, made }: UniqueViolation): Attempt {
  return { resource, written, key, path, made };
}

/** Runs the write of a row, and adds the written values to a conflict. */
export function noteUniqueViolation<T>(
  resource: ResourceModel,
  written: Row,
  write: () => MaybePromise<T>,
  key?: Key,
): MaybePromise<T> {
  return catchMaybePromise(write, (thrown) => {
    throw notedUniqueViolation(resource, written, thrown, key);
  });
}

/** Returns an error of a write, and adds the written values if it is a conflict. */
export function notedUniqueViolation(
  { name, tenant }: ResourceModel,
  written: Row,
  thrown: unknown,
  key?: Key,
): unknown {
  if (!isStoreConflict(thrown)) return thrown;
  // Unique groups apply within a tenant, which callers don't know.
  const fields = thrown.fields.filter((field) => field !== tenant?.field);
  return new UniqueViolation(fields, { resource: name, written, key, path: [], made: undefined });
}

/**
 * Describes a conflict to the caller. It only names the fields if the caller can see the other row and these fields of
 * it, because they would otherwise reveal a hidden row (docs/access.md).
 */
export async function describeUniqueViolation(
  context: OperationContext,
  taken: UniqueViolation,
): Promise<BifocalError> {
  const { fields, path, made, message } = taken;
  if (!(await mayKnow(context, taken))) {
    const issues: Issue[] =
      path.length === 0 ? [] : [{ path, message: "This value is already in use.", code: "not_unique" }];
    return new BifocalError("CONFLICT", "This conflicts with an existing row.", { issues, cause: taken });
  }
  const issues = fields.map((field) => {
    const name = made?.get(field) ?? field;
    return { path: [...path, name], message: "This value is already in use.", code: "not_unique" };
  });
  return new BifocalError("CONFLICT", message, { issues, cause: taken });
}

async function mayKnow(
  context: OperationContext,
  { resource: name, written, key, fields }: UniqueViolation,
): Promise<boolean> {
  const resource = resourceOf(context.engine.model, name);
  try {
    for (const field of fields) {
      const { internal, read } = resource.fields.get(field) as FieldModel;
      if (internal || !isAlways(await decide(context, read, resource))) return false;
    }
    const visible = await decide(context, resource.access.read, resource);
    if (isAlways(visible) || isNever(visible)) return isAlways(visible);
    // In a transaction of application code, a database rejects further statements after a failure.
    if (context.engine.changes.markRollbackOnly !== undefined) return false;
    const store = context.storeOf(name);
    const [before] = key === undefined ? [] : await store.byKeys({ resource, keys: [key] }, context.deadline);
    const row = { ...before, ...written };
    const same = fields.map((field): Filter => {
      const value = row[field] ?? null;
      return value === null
        ? { kind: "compare", field, operator: "isNull", value: true }
        : { kind: "compare", field, operator: "eq", value };
    });
    const filter = await storeFilter(context, resource, andFilters(visible, ...same));
    const query = { resource, filter, sort: totalSort(resource, []), limit: 1 };
    return (await store.list(query, context.deadline)).rows.length > 0;
  } catch (thrown) {
    if (isBifocalError(thrown)) return false;
    throw thrown;
  }
}
