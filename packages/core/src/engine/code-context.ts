import type { CodeContext, Locals } from "../definition/code-context.ts";
import type { AnyResource } from "../definition/resource.ts";
import type { EventDraft } from "../events/change-event.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import { withSignal } from "../operation/create-caller.ts";
import type { Caller } from "../operation/run.ts";
import { closestName } from "../util/closest-name.ts";
import type { OperationContext } from "./operation-context.ts";
import { createRowStore } from "./row-store.ts";

// The definition has already checked the types.
type UntypedContext = CodeContext<never, never, never>;

/** Creates what an action or a hook receives, with `facts`. Calls as the caller are created on first use. */
export function createCodeContext<Facts extends object>(
  context: OperationContext,
  resource: ResourceModel,
  events: EventDraft[],
  facts: Facts,
): UntypedContext & Facts {
  const { engine, caller, deadline } = context;
  const nameOf = (given: AnyResource | string): string => resourceName(engine.model, given);
  const locals = createLocals(context);
  return {
    ...facts,
    principal: caller.principal,
    get local() {
      return locals(resource.name) as never;
    },
    locals,
    store: createRowStore(context, resource.name, events) as never,
    stores: (given: AnyResource | string) => createRowStore(context, nameOf(given), events) as never,
    signal: deadline.signal ?? new AbortController().signal,
  };
}

/** Returns the function with which application code makes calls as the caller of its operation. */
export function createLocals({ engine, caller, deadline }: OperationContext): Locals {
  const inner: Caller = {
    ...withSignal(caller, deadline.signal ?? caller.signal),
    onCharge: (allowance) => caller.onCharge?.(allowance),
  };
  return ((given: AnyResource | string) =>
    engine.localFor(inner, resourceName(engine.model, given))) as UntypedContext["locals"];
}

/** Returns the name of a resource of the API. Throws for any other: that is a mistake of the application. */
export function resourceName(model: Model, given: AnyResource | string): string {
  const name = typeof given === "string" ? given : given?.name;
  // Only the engine writes histories, and local calls have the method `history`.
  const names = [...model.resources.values()].filter(({ historyOf }) => historyOf === undefined).map((one) => one.name);
  if (names.includes(name)) return name;
  const closest = closestName(String(name), names);
  const hint = closest === undefined ? `Available: ${names.join(", ")}.` : `Did you mean '${closest}'?`;
  throw new Error(`The API has no resource '${String(name)}'. ${hint}`);
}
