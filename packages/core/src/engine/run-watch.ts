import type { WatchOperation } from "../operation/operation.ts";
import type { StreamOutcome } from "../operation/outcome.ts";
import { throwIfOver } from "../store/store.ts";
import { denied } from "./access/decide.ts";
import { refuseNamed } from "./access/refuse-named.ts";
import type { OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { readCurrent } from "./watch/read-current.ts";
import { resolveView } from "./watch/view.ts";
import { runHook } from "./write/run-hook.ts";

/** Streams changes as the caller may see them. A caller without read access is rejected at once. */
export async function runWatch(context: OperationContext, operation: WatchOperation): Promise<StreamOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  if (operation.after !== undefined && !context.system) context.engine.resumptions.take(context.caller);
  // Subscribes before anything waits, so that no later change is missed.
  const { watcher, ready, start } = context.engine.watches.open(resource, operation, context.caller);
  try {
    if (ready !== undefined) await ready;
    const view = await resolveView(context, resource, operation);
    if (view === undefined) throw denied(context, `read ${resource.plural}`);
    await runHook({ context, operation, resource, events: [] }, "watch", "before");
    refuseNamed(operation.named, view.plan.denied);
    if (operation.initial === true && operation.after === undefined) {
      watcher.start(await readCurrent(context, resource, operation, view));
    }
    // The client may have disconnected meanwhile.
    throwIfOver(context.deadline);
  } catch (thrown) {
    void watcher.return();
    throw thrown;
  }
  start(context.cacheability.personal || context.system);
  return { kind: "stream", changes: watcher };
}
