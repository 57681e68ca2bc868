import { serverTiming } from "./server-timing.ts";
import type { Telemetry, SubscriptionWatch } from "./telemetry.ts";
import type { Change } from "../operation/outcome.ts";

export interface TelemetryOptions {
  readonly telemetry?: Telemetry | undefined;
  readonly serverTiming?: boolean | "public";
}

/** Returns the telemetry of an API according to its options. */
export function telemetryOf({ telemetry, serverTiming: timing = false }: TelemetryOptions): Telemetry | undefined {
  if (timing === false) return telemetry;
  const timed = serverTiming({ withPublic: timing === "public" });
  return telemetry === undefined ? timed : joinTelemetry(timed, telemetry);
}

/** Combines two telemetries. The time that `outer` measures includes that of `inner`. */
function joinTelemetry(outer: Telemetry, inner: Telemetry): Telemetry {
  return {
    request: (activity, work) => outer.request(activity, () => inner.request(activity, work)),
    authentication: (work) => outer.authentication(() => inner.authentication(work)),
    document: (activity, work) => outer.document(activity, () => inner.document(activity, work)),
    operation: (activity, work) => outer.operation(activity, () => inner.operation(activity, work)),
    storeCall: (activity, work) => outer.storeCall(activity, () => inner.storeCall(activity, work)),
    subscription: (operation) => new JoinedWatch(outer.subscription(operation), inner.subscription(operation)),
    delivery: ({ event, subscriptions }, work) => {
      const joined = [...subscriptions].filter((watch) => watch instanceof JoinedWatch);
      const own = (which: "first" | "second") => ({ event, subscriptions: joined.map((watch) => watch[which]) });
      return outer.delivery(own("first"), () => inner.delivery(own("second"), work));
    },
  };
}

class JoinedWatch implements SubscriptionWatch {
  readonly first: SubscriptionWatch;
  readonly second: SubscriptionWatch;

  constructor(first: SubscriptionWatch, second: SubscriptionWatch) {
    this.first = first;
    this.second = second;
  }

  delivered(kind: Change["kind"]): void {
    this.first.delivered(kind);
    this.second.delivered(kind);
  }

  end(): void {
    this.first.end();
    this.second.end();
  }
}
