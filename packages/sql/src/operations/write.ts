import {
  type Key,
  type LinkCommand,
  type MaybePromise,
  type Precondition,
  type RemoveCommand,
  type RemoveResult,
  type ResourceModel,
  type Row,
  rowVersion,
  type StoreContext,
  type UpdateCommand,
  type WriteResult,
} from "@bifocal/core/store";
import { linkShape, planLink, planUnlink } from "../statement/link.ts";
import { possibleKeys } from "../statement/read-keys.ts";
import {
  beforeShape,
  planBefore,
  planRemove,
  planUpdate,
  removeShape,
  type Target,
  updateShape,
} from "../statement/write.ts";
import { ask, type Place } from "./ask.ts";
import { byKeys } from "./read.ts";

/** Within a transaction: the row is looked at, and kept, before it is written. */
export async function update(place: Place, command: UpdateCommand, context: StoreContext): Promise<WriteResult> {
  const { dialect, tables } = place;
  const { resource, key, set, ifMatch } = command;
  const found = await readBefore(place, command, context);
  if (found === undefined) return { kind: "absent" };
  const { row: before, passes } = found;
  if (isStale(resource, before, ifMatch)) return { kind: "stale" };
  if (!passes) return { kind: "refused" };
  if (Object.keys(set).length === 0) return { kind: "done", before, after: before };
  const plan = () => planUpdate(dialect, tables, { resource, set });
  const shape = updateShape(dialect, { resource, key, set });
  const asked = { shape, plan, resource: resource.name, context, rows: [set] };
  const [written] = await ask(place, asked, (read, { rows }) => read(rows));
  const after = written ?? (await byKeys(place, { resource, keys: [keyAfter(command)] }, context))[0];
  if (after === undefined) throw new Error(`'${resource.name}' was written and could not be read again.`);
  return { kind: "done", before, after };
}

export async function remove(place: Place, command: RemoveCommand, context: StoreContext): Promise<RemoveResult> {
  const { dialect, tables } = place;
  const { resource, key, ifMatch } = command;
  const found = await readBefore(place, command, context);
  if (found === undefined) return { kind: "absent" };
  const { row: before } = found;
  if (isStale(resource, before, ifMatch)) return { kind: "stale" };
  const plan = () => planRemove(dialect, tables, resource);
  const shape = removeShape(dialect, resource, key);
  await ask(place, { shape, plan, resource: resource.name, context }, () => undefined);
  return { kind: "done", before };
}

function isStale(resource: ResourceModel, row: Row, ifMatch: Precondition | undefined): boolean {
  return ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(rowVersion(resource, row));
}

function readBefore(place: Place, target: Target, context: StoreContext) {
  const { dialect, tables } = place;
  const resource = target.resource.name;
  if (possibleKeys(tables.of(resource), [target.key]).length === 0) return undefined;
  const plan = () => planBefore(dialect, tables, target);
  const asked = { shape: beforeShape(dialect, target), plan, resource, context };
  return ask(place, asked, (read, { rows }) => read(rows));
}

/** The key of the row once it is written. */
function keyAfter({ resource, key, set }: UpdateCommand): Key {
  const parts = resource.key.map(
    (name, at) => (set[name] ?? (typeof key === "object" ? key[at] : key)) as string | number,
  );
  return parts.length === 1 ? (parts[0] as string | number) : parts;
}

export function link(place: Place, command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
  const { dialect, tables } = place;
  const { relation } = command;
  const plan = () => planLink(dialect, tables, relation);
  const asked = { shape: linkShape(dialect, "link", command), plan, resource: relation.source, context };
  return ask(place, asked, (_, { affected }) => affected === 1);
}

export function unlink(place: Place, command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
  const { dialect, tables } = place;
  const { relation } = command;
  const plan = () => planUnlink(dialect, tables, relation);
  const asked = { shape: linkShape(dialect, "unlink", command), plan, resource: relation.source, context };
  return ask(place, asked, (_, { affected }) => affected > 0);
}
