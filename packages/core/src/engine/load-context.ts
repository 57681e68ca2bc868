import type { Locals } from "../definition/code-context.ts";
import type { LoadContext } from "../definition/load-context.ts";
import type { UntypedCalls } from "../definition/untyped-calls.ts";
import type { ResourceModel } from "../model/model.ts";
import { createLocals } from "./code-context.ts";
import type { OperationContext } from "./operation-context.ts";

/** Creates what `load` of a computed field receives. The response is private once `load` reads its caller. */
export function createLoadContext(context: OperationContext, resource: ResourceModel): LoadContext {
  const { cacheability, caller, deadline } = context;
  const locals = (): Locals => {
    cacheability.personal = true;
    return createLocals(context);
  };
  return {
    get principal() {
      cacheability.personal = true;
      return caller.principal;
    },
    get local(): UntypedCalls {
      return locals()(resource.name);
    },
    get locals() {
      return locals();
    },
    get signal() {
      return deadline.signal ?? new AbortController().signal;
    },
  };
}
