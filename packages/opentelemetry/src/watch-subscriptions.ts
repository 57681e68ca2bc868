import type { SubscriptionWatch, Telemetry } from "@bifocal/core/telemetry";
import { context, type Link, ROOT_CONTEXT, type SpanContext, trace, type Tracer } from "@opentelemetry/api";
import { inSpan } from "./in-span.ts";
import type { Instruments } from "./instruments.ts";

/** The number of links that an SDK keeps per span by default. */
const MAX_LINKS = 128;

type Watching = Pick<Telemetry, "subscription" | "delivery">;

/**
 * Starts a new trace for each delivery, with links to the operations that started the subscriptions. A single trace per
 * subscription would never end.
 */
export function watchSubscriptions(tracer: Tracer, instruments: () => Instruments): Watching {
  const starts = new WeakMap<SubscriptionWatch, SpanContext>();

  function linksTo(subscriptions: Iterable<SubscriptionWatch>): Link[] {
    const links: Link[] = [];
    for (const watch of subscriptions) {
      const start = starts.get(watch);
      if (start !== undefined) links.push({ context: start });
      if (links.length === MAX_LINKS) break;
    }
    return links;
  }

  return {
    subscription({ resource }) {
      const { activeSubscriptions, deliveries } = instruments();
      const about = { "bifocal.resource": resource };
      activeSubscriptions.add(1, about);
      const watch: SubscriptionWatch = {
        delivered: (kind) => deliveries.add(1, { ...about, "bifocal.change": kind }),
        end: () => activeSubscriptions.add(-1, about),
      };
      const start = trace.getSpanContext(context.active());
      if (start !== undefined) starts.set(watch, start);
      return watch;
    },
    async delivery({ event: { kind, resource }, subscriptions }, work) {
      const attributes = { "bifocal.resource": resource, "bifocal.change": kind };
      const options = { attributes, links: linksTo(subscriptions), root: true };
      const span = tracer.startSpan(`deliver ${resource}`, options, ROOT_CONTEXT);
      return inSpan(span, ROOT_CONTEXT, work, (change) => {
        span.setAttribute("bifocal.delivered", change !== undefined);
      });
    },
  };
}
