import type { EventDraft } from "../../events/change-event.ts";
import type { HookName, ResourceModel, Row } from "../../model/model.ts";
import type { Operation } from "../../operation/operation.ts";
import type { OperationContext } from "../operation-context.ts";
import { checkHookValues } from "./checks/check-filled.ts";
import { createCodeContext } from "../code-context.ts";
import { toStoredRow } from "../row-store.ts";
import { runApplicationCode } from "../ambient-transaction.ts";

/** The operation in which hooks run: its context, and the events of their writes. */
export interface Hooked {
  readonly context: OperationContext;
  readonly operation: Operation;
  readonly resource: ResourceModel;
  readonly events: EventDraft[];
}

type Facts = Readonly<Record<string, unknown>>;

/** A hook of a read receives the principal, so its result may depend on the caller. */
export function noteHook({ cacheability }: OperationContext): void {
  cacheability.personal = true;
}

/** Runs the hook, if there is one. `facts` are added to the context that all hooks receive. */
export async function runHook(
  hooked: Hooked,
  name: HookName,
  time: "before" | "after",
  facts: Facts = {},
): Promise<unknown> {
  const hook = hooked.resource.hooks[name]?.[time] as ((context: object) => unknown) | undefined;
  if (hook === undefined) return undefined;
  return runApplicationCode(hooked.context, hooked.events, () =>
    hook(createCodeContext(hooked.context, hooked.resource, hooked.events, { ...facts, operation: hooked.operation })),
  );
}

/** Runs the `before` hook of a write and returns the fields to write. */
export async function beforeWrite(
  hooked: Hooked,
  name: "create" | "update",
  written: Row,
  facts: Facts = {},
): Promise<Row> {
  const { resource } = hooked;
  if (resource.hooks[name]?.before === undefined) return written;
  const input = { ...(resource.codec?.toValue(written) ?? written) };
  // Removes fields that were not given, because a codec also decodes absent ones.
  for (const field of Object.keys(input)) if (!Object.hasOwn(written, field)) delete input[field];
  const changed = await runHook(hooked, name, "before", { ...facts, input });
  if (typeof changed !== "object" || changed === null) return written;
  const row = toStoredRow(resource, changed as Facts, `A hook of '${resource.name}'`);
  checkHookValues(resource, row);
  return row;
}

/** Returns a row as hooks see it. */
export function toItem({ codec }: ResourceModel, row: Row): Facts {
  return { ...(codec?.toValue(row) ?? row) };
}
