import type { CodeContext } from "../definition/code-context.ts";
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
  const inner: Caller = {
    ...withSignal(caller, deadline.signal ?? caller.signal),
    onCharge: (allowance) => caller.onCharge?.(allowance),
  };
  const nameOf = (given: AnyResource | string): string => resourceName(engine.model, given);
  const locals = (given: AnyResource | string): unknown => engine.localFor(inner, nameOf(given));
  return {
    ...facts,
    principal: caller.principal,
    get local() {
      return locals(resource.name) as never;
    },
    locals: locals as UntypedContext["locals"],
    store: createRowStore(context, resource.name, events) as never,
    stores: (given: AnyResource | string) => createRowStore(context, nameOf(given), events) as never,
    signal: deadline.signal ?? new AbortController().signal,
  };
}

/** Returns the name of a resource of the API. Throws for any other: that is a mistake of the application. */
function resourceName(model: Model, given: AnyResource | string): string {
  const name = typeof given === "string" ? given : given?.name;
  if (model.resources.has(name)) return name;
  const closest = closestName(String(name), model.resources.keys());
  const hint =
    closest === undefined ? `Available: ${[...model.resources.keys()].join(", ")}.` : `Did you mean '${closest}'?`;
  throw new Error(`The API has no resource '${String(name)}'. ${hint}`);
}
