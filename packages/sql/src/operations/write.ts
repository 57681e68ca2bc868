import {
  type Key,
  type LinkCommand,
  type MaybePromise,
  type Precondition,
  type DeleteCommand,
  type DeleteResult,
  type ResourceModel,
  type Row,
  rowVersion,
  type StoreContext,
  type UpdateCommand,
  type WriteResult,
} from "@bifocal/core/store";
import { linkShape, planLink, planUnlink } from "../statement/link.ts";
import { possibleKeys } from "../statement/read-keys.ts";
import { columnOf } from "../table/table.ts";
import {
  type AtOnce,
  planDeleteAtOnce,
  planUpdateAtOnce,
  deleteAtOnceShape,
  updateAtOnceShape,
} from "../statement/write-at-once.ts";
import {
  beforeShape,
  planBefore,
  planDelete,
  planUpdate,
  deleteShape,
  type WriteTarget,
  updateShape,
} from "../statement/write.ts";
import { ask, type StoreHandle } from "./ask.ts";
import { askAtOnce, isRuled } from "./ask-at-once.ts";
import { byKeys } from "./read.ts";

/**
 * Updates a row within a transaction. The row is read and locked before it is written, in the same statement if the
 * database supports that.
 */
export async function update(handle: StoreHandle, command: UpdateCommand, context: StoreContext): Promise<WriteResult> {
  const { resource, set, ifMatch } = command;
  const atOnce = Object.keys(set).length === 0 ? undefined : asAtOnce(handle, command);
  const found = await (atOnce === undefined
    ? readBefore(handle, command, context)
    : updateAtOnce(handle, { ...atOnce, set }, context));
  if (found === undefined) return { kind: "absent" };
  const { row: before, passes } = found;
  if (isStale(resource, before, ifMatch)) return { kind: "stale" };
  if (!passes) return { kind: "refused" };
  if (Object.keys(set).length === 0) return { kind: "done", before, after: before };
  const written = atOnce === undefined ? await updateKept(handle, command, context) : found.after;
  const after = written ?? (await byKeys(handle, { resource, keys: [keyAfter(command)] }, context))[0];
  if (after === undefined) throw new Error(`'${resource.name}' was written, but could not be read again.`);
  return { kind: "done", before, after };
}

async function updateKept(
  handle: StoreHandle,
  { resource, key, set }: UpdateCommand,
  context: StoreContext,
): Promise<Row | undefined> {
  const { dialect, tables } = handle;
  const plan = () => planUpdate(dialect, tables, { resource, set });
  const shape = updateShape(dialect, { resource, key, set });
  const asked = { shape, plan, resource: resource.name, context, rows: [set] };
  const [written] = await ask(handle, asked, (read, { rows }) => read(rows));
  return written;
}

function updateAtOnce(handle: StoreHandle, target: AtOnce & { readonly set: Row }, context: StoreContext) {
  const { dialect, tables } = handle;
  const { resource, set } = target;
  const plan = () => planUpdateAtOnce(dialect, tables, target);
  const shape = updateAtOnceShape(dialect, target);
  return askAtOnce(handle, { shape, plan, resource: resource.name, context, rows: [set] }, (read, { rows }) =>
    read(rows),
  );
}

export async function deleteRow(
  handle: StoreHandle,
  command: DeleteCommand,
  context: StoreContext,
): Promise<DeleteResult> {
  const { resource, ifMatch } = command;
  const atOnce = asAtOnce(handle, command);
  const found = await (atOnce === undefined
    ? readBefore(handle, command, context)
    : deleteAtOnce(handle, atOnce, context));
  if (found === undefined) return { kind: "absent" };
  const { row: before } = found;
  if (isStale(resource, before, ifMatch)) return { kind: "stale" };
  if (atOnce === undefined) await deleteKept(handle, command, context);
  return { kind: "done", before };
}

function deleteKept(handle: StoreHandle, { resource, key }: DeleteCommand, context: StoreContext) {
  const { dialect, tables } = handle;
  const plan = () => planDelete(dialect, tables, resource);
  const shape = deleteShape(dialect, resource, key);
  return ask(handle, { shape, plan, resource: resource.name, context }, () => undefined);
}

function deleteAtOnce(handle: StoreHandle, target: AtOnce, context: StoreContext) {
  const { dialect, tables } = handle;
  const plan = () => planDeleteAtOnce(dialect, tables, target);
  const shape = deleteAtOnceShape(dialect, target);
  return askAtOnce(handle, { shape, plan, resource: target.resource.name, context }, (read, { rows }) => read(rows));
}

/**
 * Returns `undefined` if a single statement can't do it: the version is a hash, the table has rules, or the database
 * would reject a value before it looks for the row.
 */
function asAtOnce(
  { dialect, tables }: StoreHandle,
  target: WriteTarget & { readonly ifMatch?: Precondition | undefined },
) {
  const { resource, key, set = {}, ifMatch } = target;
  const { takes } = dialect;
  const table = tables.of(resource.name);
  if (takes === undefined || isRuled(table) || possibleKeys(table, [key]).length === 0) return undefined;
  if (!Object.entries(set).every(([name, value]) => takes(columnOf(table, name), value))) return undefined;
  if (ifMatch === undefined || ifMatch === "*") return target;
  const versions = ifMatch.map(Number);
  const areCounts = versions.every((one, at) => Number.isSafeInteger(one) && String(one) === ifMatch[at]);
  return resource.version !== undefined && areCounts ? { ...target, versions } : undefined;
}

function isStale(resource: ResourceModel, row: Row, ifMatch: Precondition | undefined): boolean {
  return ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(rowVersion(resource, row));
}

async function readBefore(handle: StoreHandle, target: WriteTarget, context: StoreContext) {
  const { dialect, tables } = handle;
  const resource = target.resource.name;
  if (possibleKeys(tables.of(resource), [target.key]).length === 0) return undefined;
  const plan = () => planBefore(dialect, tables, target);
  const asked = { shape: beforeShape(dialect, target), plan, resource, context };
  return ask(handle, asked, (read, { rows }) => {
    const found = read(rows);
    return found && { ...found, after: undefined };
  });
}

function keyAfter({ resource, key, set }: UpdateCommand): Key {
  const parts = resource.key.map(
    (name, at) => (set[name] ?? (typeof key === "object" ? key[at] : key)) as string | number,
  );
  return parts.length === 1 ? (parts[0] as string | number) : parts;
}

export function link(handle: StoreHandle, command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
  const { dialect, tables } = handle;
  const { relation } = command;
  const plan = () => planLink(dialect, tables, relation);
  const asked = { shape: linkShape(dialect, "link", command), plan, resource: relation.source, context };
  return ask(handle, asked, (_, { affected }) => affected === 1);
}

export function unlink(handle: StoreHandle, command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
  const { dialect, tables } = handle;
  const { relation } = command;
  const plan = () => planUnlink(dialect, tables, relation);
  const asked = { shape: linkShape(dialect, "unlink", command), plan, resource: relation.source, context };
  return ask(handle, asked, (_, { affected }) => affected > 0);
}
