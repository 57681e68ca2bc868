import type { EventDraft } from "../../events/change-event.ts";
import type { HookName, ResourceModel, Row } from "../../model/model.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Frame } from "../frame.ts";
import { createRowStore, toStoredRow } from "../row-store.ts";
import { surroundCode } from "../surroundings.ts";

/** An operation within which hooks run: its transaction, and the events of what they write. */
export interface Hooked {
  readonly frame: Frame;
  readonly operation: Operation;
  readonly resource: ResourceModel;
  readonly events: EventDraft[];
}

type Facts = Readonly<Record<string, unknown>>;

export function hasHook({ hooks }: ResourceModel, name: HookName): boolean {
  return hooks[name]?.before !== undefined || hooks[name]?.after !== undefined;
}

/** A hook of a read knows who asks, so what is answered, or refused, may depend on that. */
export function noteHook({ notes }: Frame): void {
  notes.personal = true;
}

/** Runs the hook, if there is one, with what it is about besides the context that all get. */
export async function runHook(
  hooked: Hooked,
  name: HookName,
  time: "before" | "after",
  facts: Facts = {},
): Promise<unknown> {
  const hook = hooked.resource.hooks[name]?.[time] as ((context: Facts) => unknown) | undefined;
  if (hook === undefined) return undefined;
  return surroundCode(hooked.frame, hooked.events, () => hook({ ...createContext(hooked), ...facts }));
}

/** What is written after the hook had its say. */
export async function beforeWrite(
  hooked: Hooked,
  name: "create" | "update",
  written: Row,
  facts: Facts = {},
): Promise<Row> {
  const { resource } = hooked;
  if (resource.hooks[name]?.before === undefined) return written;
  const input = { ...(resource.codec?.toValue(written) ?? written) };
  // Only what was given: a codec makes something of what is not there.
  for (const field of Object.keys(input)) if (!Object.hasOwn(written, field)) delete input[field];
  const changed = await runHook(hooked, name, "before", { ...facts, input });
  if (typeof changed !== "object" || changed === null) return written;
  return toStoredRow(resource, changed as Facts, `A hook of '${resource.name}'`);
}

/** A row as hooks see it. */
export function toItem({ codec }: ResourceModel, row: Row): Facts {
  return { ...(codec?.toValue(row) ?? row) };
}

function createContext({ frame, operation, resource, events }: Hooked): Facts {
  return {
    operation,
    principal: frame.caller.principal,
    store: createRowStore(frame, resource.name, events),
    stores: (name: string) => createRowStore(frame, name, events),
    signal: frame.context.signal ?? new AbortController().signal,
  };
}
